import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import {
  type Document,
  KicadSyntaxError,
  listSymbols,
  parse,
  symbolIn,
  writeNode,
} from '@patchbay/kicad-format'
import { displayText } from '@patchbay/primitives/text'
import { findNamesakes, findSymbolFiles, type SymbolFile } from './symbols.store.ts'
import { nearestNames, partsOfLibId, type WantedSymbol } from './symbols.ts'
import type { BoardsTables } from './tables.ts'

/** The definitions of symbols by what they are called, from the libraries that the workspace has. Throws 422 for the first that is in none. */
export async function findDefinitions(
  { db, objects, now }: { readonly db: Db<BoardsTables>; readonly objects: ObjectStore; readonly now: Date },
  at: WorkspaceRef,
  wanted: readonly WantedSymbol[],
): Promise<ReadonlyMap<string, string>> {
  const files = await findSymbolFiles(db, at, now)
  const documents = new Map<string, Document>()
  const definitions = new Map<string, string>()
  let budget: number = BOARD_LIMITS.librariesReadBytes
  for (const { libId, change } of wanted) {
    if (definitions.has(libId)) continue
    const { nickname, name } = partsOfLibId(libId)
    const file = files.find((one) => one.nickname === nickname)
    if (file === undefined)
      throw unknown(change, libId, [
        ...(await findNamesakes(db, name, now)),
        ...nearestNames(
          nickname,
          files.map((one) => one.nickname),
        ).map((one) => `${one}:${name}`),
      ])
    let document = documents.get(file.sha256)
    if (document === undefined) {
      budget -= file.bytes
      if (budget < 0) throw refused(change, libId, TOO_LARGE)
      document = await readSymbols(objects, file, change, libId)
      documents.set(file.sha256, document)
    }
    const symbol = symbolIn(document, name)
    if (symbol === undefined) {
      const near = nearestNames(
        name,
        listSymbols(document).map((one) => one.name),
      )
      throw unknown(
        change,
        libId,
        near.map((one) => `${nickname}:${one}`),
      )
    }
    definitions.set(libId, writeNode(symbol.node))
  }
  return definitions
}

async function readSymbols(
  objects: ObjectStore,
  { sha256, bytes }: SymbolFile,
  change: number,
  libId: string,
): Promise<Document> {
  const content = await objects.read(sha256, bytes)
  if (content === undefined) throw new Problem('objects_unavailable')
  try {
    return parse(content)
  } catch (error) {
    if (!(error instanceof KicadSyntaxError)) throw error
    throw refused(
      change,
      libId,
      `The library of "${displayText(libId, 200)}" cannot be read: ${error.message}.`,
    )
  }
}

const TOO_LARGE = `The libraries of these symbols are larger than ${BOARD_LIMITS.librariesReadBytes / 1024 ** 2} MiB together. Add fewer at once, or send their definitions.`

function unknown(change: number, libId: string, near: readonly string[]): Problem {
  const suggestions = [...new Set(near)]
    .slice(0, BOARD_LIMITS.suggestions)
    .map((one) => displayText(one, 200))
  const meant = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(', ')}?`
  const detail = `No library of KiCad or of the workspace has a symbol "${displayText(libId, 200)}".${meant}`
  return refused(change, libId, detail, suggestions)
}

function refused(change: number, item: string, detail: string, suggestions: readonly string[] = []): Problem {
  return new Problem('schematic_change_refused', {
    detail,
    extensions: { change, refusal: 'unknown_symbol', item, suggestions: [...suggestions] },
  })
}
