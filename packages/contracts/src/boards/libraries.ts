import { type Static, Type } from 'typebox'
import { reason, sha256 } from '../content/files.ts'
import { endpoint } from '../core/endpoint.ts'
import { BOARD_LIMITS } from '../core/limits.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'
import { packageIdentifier, packageVersionText } from '../registry/packages.ts'
import { BOARDS_PATH } from './jobs.ts'

const LIBRARIES_PATH = `${BOARDS_PATH}/libraries` as const
const tag = 'Boards'
const STRICT = { additionalProperties: false } as const

const nickname = Type.String({
  description: 'What symbols and footprints name it by, as KiCad does: `PCM_` and the name of its file.',
})

export const boardLibrary = Type.Object({
  identifier: packageIdentifier,
  name: Type.String({ description: 'Of the package. Untrusted text.' }),
  version: packageVersionText,
  sha256: { ...sha256, description: 'Of the archive.' },
  bytes: Type.Integer({ description: 'Of its files.' }),
  symbols: Type.Array(
    Type.Object({
      nickname,
      bytes: Type.Integer(),
      href: Type.String({ description: 'Where the `.kicad_sym` file can be read. It never changes.' }),
    }),
    { maxItems: BOARD_LIMITS.libraryParts, description: 'Libraries of symbols.' },
  ),
  footprints: Type.Array(nickname, {
    maxItems: BOARD_LIMITS.libraryParts,
    description: 'Libraries of footprints.',
  }),
  models: Type.Integer({ description: 'How many files of 3D models there are.' }),
  addedBy: Type.String({ description: 'The handle of a person.' }),
  addedAt: Type.String({ format: 'date-time' }),
})
export type BoardLibrary = Static<typeof boardLibrary>

const libraryParams = Type.Object({ ...workspaceParams.properties, identifier: packageIdentifier })

export const getBoardLibraries = endpoint({
  method: 'GET',
  path: LIBRARIES_PATH,
  name: 'listBoardLibraries',
  summary: 'The library packages of a workspace',
  tag,
  params: workspaceParams,
  responses: { 200: Type.Object({ items: Type.Array(boardLibrary, { maxItems: BOARD_LIMITS.libraries }) }) },
  problems: [...workspaceRefusals],
})

export const putBoardLibrary = endpoint({
  method: 'PUT',
  path: `${LIBRARIES_PATH}/{identifier}`,
  name: 'addBoardLibrary',
  summary: 'Adds a package of type library from the registry, or changes its version',
  description:
    'Its symbols can be placed, and KiCad finds its symbols, footprints and 3D models in jobs. The version stays the same until it is asked for again, also when the package goes from the registry. 201: it is new here. Whoever may write the files of the workspace and read the package may do this.',
  tag,
  params: libraryParams,
  body: Type.Object(
    {
      version: Type.Optional({ ...packageVersionText, description: 'The latest unless given.' }),
      reason,
    },
    STRICT,
  ),
  responses: { 200: boardLibrary, 201: boardLibrary },
  problems: [
    ...workspaceChangeRefusals,
    'package_not_found',
    'package_quarantined',
    'board_library_refused',
    'limit_reached',
    'too_many_waiting',
    'objects_unavailable',
  ],
})

export const deleteBoardLibrary = endpoint({
  method: 'DELETE',
  path: `${LIBRARIES_PATH}/{identifier}`,
  name: 'removeBoardLibrary',
  summary: 'Removes a library package; symbols that were placed stay in their schematics',
  tag,
  params: libraryParams,
  query: Type.Object({ reason }, STRICT),
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'board_library_not_found'],
})

export const getBoardLibrarySymbols = endpoint({
  method: 'GET',
  path: `${LIBRARIES_PATH}/{identifier}/symbols/{sha256}`,
  name: 'readBoardLibrarySymbols',
  summary: 'A `.kicad_sym` file of a library package',
  tag,
  params: Type.Object({ ...libraryParams.properties, sha256 }),
  responses: {
    200: { mediaType: 'text/plain', description: 'With its SHA-256 as ETag.' },
    206: { mediaType: 'text/plain', description: 'The range that was asked for.' },
    304: null,
  },
  problems: [...workspaceRefusals, 'board_library_not_found', 'range_not_satisfiable', 'objects_unavailable'],
})

export const boardSymbol = Type.Object({
  libId: Type.String({ description: 'What a schematic names it by, such as `Device:R`.' }),
  description: Type.String(),
  keywords: Type.String(),
})
export type BoardSymbol = Static<typeof boardSymbol>

export const getBoardSymbols = endpoint({
  method: 'GET',
  path: `${BOARDS_PATH}/symbols`,
  name: 'searchBoardSymbols',
  summary: 'Finds symbols by words in the libraries that are installed with KiCad',
  description:
    'All words have to be in the name, the description or the keywords. Those of library packages are in the files of their `symbols`.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 200 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    STRICT,
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(boardSymbol),
      isComplete: Type.Boolean({ description: 'Whether these are all.' }),
    }),
  },
  problems: [...workspaceRefusals],
})
