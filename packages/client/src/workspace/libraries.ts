import type { BoardLibrary } from '@patchbay/contracts/boards'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import { type Reason, reasonOf } from './panel-target.ts'
import { ADD_LIBRARY, LIBRARY_SYMBOLS, LIST_LIBRARIES, REMOVE_LIBRARY } from './routes.ts'

/** Library packages of one workspace: symbols, footprints and 3D models that KiCad finds. */
export interface WorkspaceLibraries {
  /** By identifier. */
  list(): Promise<BoardLibrary[]>
  /** Adds a package of the registry, or changes its version: the latest unless one is named. */
  add(identifier: string, options?: { readonly version?: string | undefined } & Reason): Promise<BoardLibrary>
  /** Symbols that were placed stay in their schematics. */
  remove(identifier: string, why?: Reason): Promise<void>
  /** A `.kicad_sym` file, by the nickname of one of the library's `symbols`. */
  readSymbols(library: BoardLibrary, nickname: string): Promise<string>
}

/** A large one is fetched and unpacked first. */
const ADD_MS = 5 * 60_000

export function openLibraries(connection: Connection, params: WorkspaceRef): WorkspaceLibraries {
  const repeatable = { isRepeatable: true }
  return {
    async list() {
      return [...(await connection.ask(LIST_LIBRARIES, { params }, repeatable)).body.items]
    },
    async add(identifier, { version, ...why } = {}) {
      const body = { ...(version === undefined ? {} : { version }), ...reasonOf(why) }
      const asked = { params: { ...params, identifier }, body }
      return (await connection.ask(ADD_LIBRARY, asked, { ...repeatable, waitMs: ADD_MS })).body
    },
    async remove(identifier, why) {
      await connection.ask(REMOVE_LIBRARY, { params: { ...params, identifier }, query: reasonOf(why) })
    },
    async readSymbols({ identifier, symbols }, nickname) {
      const found = symbols.find((each) => each.nickname === nickname)
      if (found === undefined) throw new TypeError(`${identifier} has no symbols called ${nickname}`)
      const sha256 = found.href.slice(found.href.lastIndexOf('/') + 1)
      const asked = { params: { ...params, identifier, sha256 } }
      return await new Response((await connection.open(LIBRARY_SYMBOLS, asked, repeatable)).body).text()
    },
  }
}
