import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Log } from '@patchbay/kernel/log'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import { KicadSyntaxError, listSymbols, parse } from '@patchbay/kicad-format'
import { canBeNickname } from './library.ts'
import { type InstalledLibrary, knowsInstalled, noteInstalled } from './symbols.store.ts'
import type { BoardsTables } from './tables.ts'

const EXTENSION = '.kicad_sym'
/** Several times the largest that KiCad has. */
const MOST_BYTES = 64 * 1024 ** 2

interface InstalledDeps {
  readonly db: Db<BoardsTables>
  readonly log: Log
  /** For what servers take symbols from. */
  readonly objects: ObjectStore
  readonly engine: string
  /** Where the libraries are that are installed with KiCad. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Puts the libraries of symbols that are installed here where servers find them, unless a worker with the same has done it. */
export async function offerInstalledSymbols({
  db,
  log,
  objects,
  engine,
  folder,
  signal,
}: InstalledDeps): Promise<void> {
  if (await knowsInstalled(db, engine)) return
  const libraries: InstalledLibrary[] = []
  const names: string[] = await readdir(folder).catch(() => [])
  for (const name of names.toSorted()) {
    if (signal.aborted) return
    const nickname = name.slice(0, -EXTENSION.length)
    if (!name.endsWith(EXTENSION) || !canBeNickname(nickname)) continue
    const path = join(folder, name)
    const found = await stat(path)
    if (!found.isFile() || found.size > MOST_BYTES) continue
    const bytes = await readFile(path)
    try {
      const symbols = listSymbols(parse(bytes))
      const { sha256, size } = await objects.put(Readable.from([bytes], { objectMode: false }))
      libraries.push({ nickname, sha256, bytes: size, symbols })
    } catch (error) {
      if (!(error instanceof KicadSyntaxError)) throw error
      log.warn({ err: error, library: nickname }, 'failed to read an installed library of symbols')
    }
  }
  await noteInstalled(db, objects, engine, libraries)
}
