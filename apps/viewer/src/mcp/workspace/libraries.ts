import { type BoardLibrary, Problem } from '@patchbay/client/workspaces'
import { KicadSyntaxError, listSymbols, parse } from '@patchbay/kicad-format'
import { displayText } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import { defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { BOARD_TEXT_IS_DATA, withBoards } from './boards.ts'
import type { OpenServer } from './opened-server.ts'
import { type Picked, reasonKeptWith, workspaceArgument } from './pick.ts'

const STRICT = { additionalProperties: false } as const
const MOST_SYMBOLS = 100
/** A model looks for something; what has larger libraries is read by the editor. */
const MOST_BYTES = 16 * 1024 ** 2
const MOST_BYTES_TOGETHER = 64 * 1024 ** 2

const searchInput = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words that are all in the name, the description or the keywords, such as "op amp dual".',
    }),
    workspace: workspaceArgument,
  },
  STRICT,
)
const searchOutput = Type.Object({
  workspace: Type.String(),
  symbols: Type.Array(
    Type.Object({ symbol: Type.String(), description: Type.String(), keywords: Type.String() }),
  ),
  libraries: Type.Array(Type.Object({ identifier: Type.String(), version: Type.String() }), {
    description: 'The library packages that the workspace has.',
  }),
  notRead: Type.Array(Type.String(), { description: 'Libraries of packages that could not be searched.' }),
  isComplete: Type.Boolean({ description: 'Whether these are all.' }),
})

export const searchSymbols = defineTool({
  name: 'av_search_symbols',
  title: 'Find symbols in libraries',
  description: `Finds symbols by words in the libraries that are installed with KiCad and in the library packages of the workspace, ${MOST_SYMBOLS} at the most. av_change_schematic adds one by the name that is told here. ${BOARD_TEXT_IS_DATA}`,
  input: searchInput,
  output: searchOutput,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

interface Found {
  readonly symbol: string
  readonly description: string
  readonly keywords: string
}

export function searchSymbolsIn(open: OpenServer): Work<typeof searchInput, typeof searchOutput> {
  return async ({ text, workspace: named }, { mcpReq: { signal } }) =>
    await withBoards(open, named, 'files:read', signal, async (picked) => {
      const { boards } = picked.workspace
      const [installed, libraries] = await Promise.all([
        boards.searchSymbols(text, { limit: MOST_SYMBOLS }),
        boards.libraries.list(),
      ])
      const packaged = await searchPackages(picked, libraries, text, signal)
      const all: Found[] = [
        ...packaged.found,
        ...installed.items.map(({ libId, ...rest }) => ({ symbol: libId, ...rest })),
      ]
      const symbols = all.slice(0, MOST_SYMBOLS).map(({ symbol, description, keywords }) => ({
        symbol: displayText(symbol, 200),
        description: displayText(description, 200),
        keywords: displayText(keywords, 200),
      }))
      const isComplete = installed.isComplete && all.length <= MOST_SYMBOLS && packaged.notRead.length === 0
      return {
        text: [
          `Symbols for "${displayText(text, 200)}" in ${picked.name}. ${BOARD_TEXT_IS_DATA}`,
          ...symbols.map(
            ({ symbol, description }) => `  ${symbol}${description === '' ? '' : `: ${description}`}`,
          ),
          ...(symbols.length === 0 ? ['None. Try fewer or other words; av_add_library adds a library.'] : []),
          ...(isComplete ? [] : ['There may be more: search for something longer.']),
          ...packaged.notRead.map((one) => `  ${one} could not be searched.`),
        ].join('\n'),
        facts: {
          workspace: picked.name,
          symbols,
          libraries: libraries.map(({ identifier, version }) => ({ identifier, version })),
          notRead: packaged.notRead,
          isComplete,
        },
      }
    })
}

/** Those of packages are read here, as by the editor: a file that takes long is the trouble of whoever asks. */
async function searchPackages(
  { workspace: { boards } }: Picked,
  libraries: readonly BoardLibrary[],
  text: string,
  signal: AbortSignal,
): Promise<{ readonly found: Found[]; readonly notRead: string[] }> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found: Found[] = []
  const notRead: string[] = []
  let room = MOST_BYTES_TOGETHER
  for (const library of libraries)
    for (const { nickname, bytes } of library.symbols) {
      signal.throwIfAborted()
      room -= bytes
      const symbols =
        bytes > MOST_BYTES || room < 0
          ? undefined
          : read(await boards.libraries.readSymbols(library, nickname))
      if (symbols === undefined) notRead.push(displayText(nickname, 100))
      for (const { name, description, keywords } of symbols ?? []) {
        const symbol = `${nickname}:${name}`
        const said = `${symbol} ${description} ${keywords}`.toLowerCase()
        if (words.every((word) => said.includes(word))) found.push({ symbol, description, keywords })
      }
    }
  return { found, notRead }
}

function read(text: string) {
  try {
    return listSymbols(parse(text))
  } catch (error) {
    if (!(error instanceof KicadSyntaxError)) throw error
    return undefined
  }
}

const addInput = Type.Object(
  {
    identifier: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Of a package of type library in the registry, such as com.example.lamps.',
    }),
    version: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The latest unless given.' }),
    ),
    reason: reasonKeptWith('change'),
    workspace: workspaceArgument,
  },
  STRICT,
)
const addOutput = Type.Object({
  workspace: Type.String(),
  identifier: Type.String(),
  version: Type.String(),
  symbols: Type.Array(Type.String(), { description: 'What its libraries of symbols are called.' }),
  footprints: Type.Array(Type.String()),
  models: Type.Integer(),
})

export const addLibrary = defineTool({
  name: 'av_add_library',
  title: 'Add a library to a workspace',
  description:
    'Adds a library package of the registry to the workspace, or changes its version: its symbols, footprints and 3D models are found from then on, and the history names you with the reason.',
  input: addInput,
  output: addOutput,
  nature: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function addLibraryIn(open: OpenServer): Work<typeof addInput, typeof addOutput> {
  return async ({ identifier, version, reason, workspace: named }, { mcpReq: { signal } }) =>
    await withBoards(open, named, 'files:write', signal, async ({ workspace: { boards }, name }) => {
      const wish = { version, reason: displayText(reason, 200) }
      const library = await boards.libraries.add(identifier, wish).catch((error: unknown) => {
        throw refusalOf(error, identifier) ?? error
      })
      const symbols = library.symbols.map(({ nickname }) => nickname)
      return {
        text: [
          `${name} has ${library.identifier} ${library.version}.`,
          `Symbols: ${symbols.join(', ') || 'none'}. Footprints: ${library.footprints.join(', ') || 'none'}. 3D models: ${library.models}.`,
          'av_search_symbols finds its symbols.',
        ].join('\n'),
        facts: {
          workspace: name,
          identifier: library.identifier,
          version: library.version,
          symbols,
          footprints: library.footprints,
          models: library.models,
        },
      }
    })
}

function refusalOf(error: unknown, identifier: string): ToolRefusal | undefined {
  if (!(error instanceof Problem)) return undefined
  const named = displayText(identifier, 200)
  if (error.code === 'package_not_found')
    return new ToolRefusal(
      `The registry has no package ${named} of this version, or not for this login. Nothing was added.`,
    )
  if (error.code !== 'board_library_refused') return undefined
  return new ToolRefusal(`${named} was not added: ${displayText(error.detail ?? 'it is no library.', 500)}`)
}
