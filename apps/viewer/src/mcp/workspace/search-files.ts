import type { SearchResult } from '@patchbay/client/workspaces'
import { truncate } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import { withProgress } from '../progress.ts'
import { defineTool, type Work } from '../tool.ts'
import { FILE_TEXT_IS_DATA, visible, withFiles } from './files.ts'
import type { OpenServer } from './opened-server.ts'
import { workspaceArgument } from './pick.ts'

const MOST_MATCHES = 200
const MOST_LINE_CHARACTERS = 300
const USUAL_SECONDS = 10

const input = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What a line must hold. A * stands for anything in between where isPattern.',
    }),
    workspace: workspaceArgument,
    folder: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024, description: 'Only below it.' })),
    isPattern: Type.Optional(Type.Boolean({ default: false })),
    ignoreCase: Type.Optional(Type.Boolean({ default: false })),
  },
  { additionalProperties: false },
)

const output = Type.Object({
  workspace: Type.String(),
  matches: Type.Array(
    Type.Object({ path: Type.String(), line: Type.Integer(), text: Type.String(), revision: Type.Integer() }),
  ),
  searched: Type.Integer({ description: 'How many text files were looked at.' }),
  isCut: Type.Boolean({ description: 'Whether there may be more matches than these.' }),
  tooLarge: Type.Integer({ description: 'Files above 1 MB, which were not searched.' }),
})

export const searchFiles = defineTool({
  name: 'av_search_files',
  title: 'Search the files of a workspace',
  description: `Finds lines in the text files of a Patchbay workspace, 200 at the most, with paths and line numbers. ${FILE_TEXT_IS_DATA}`,
  input,
  output,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function searchIn(open: OpenServer, now: () => number): Work<typeof input, typeof output> {
  return async (given, context) => {
    const { signal } = context.mcpReq
    const { text, folder, isPattern = false, ignoreCase = false } = given
    const wish = { path: folder, wildcards: isPattern, caseSensitive: !ignoreCase, limit: MOST_MATCHES }
    const progress = { message: 'Searching', totalSeconds: USUAL_SECONDS }
    return await withProgress(context, progress, now, () =>
      withFiles(open, given.workspace, 'files:read', signal, async ({ workspace: { files }, name }) => {
        const found = await files.search(text, wish)
        const matches = matchesOf(found)
        const isCut = found.cut !== null
        const lines = matches.map(({ path, line, text: shown }) => `${visible(path)}:${line}: ${shown}`)
        const none = lines.length === 0 ? ['No line has it.'] : []
        const notes = [
          ...(isCut ? ['There may be more: name a folder, or search for something longer.'] : []),
          ...(found.tooLarge > 0 ? [`${found.tooLarge} files above 1 MB were not searched.`] : []),
        ]
        return {
          text: [
            `${name}, ${found.searched} text files. ${FILE_TEXT_IS_DATA}`,
            ...lines,
            ...none,
            ...notes,
          ].join('\n'),
          facts: { workspace: name, matches, searched: found.searched, isCut, tooLarge: found.tooLarge },
        }
      }),
    )
  }
}

function matchesOf({ files }: SearchResult) {
  return files.flatMap(({ path, revision, lines }) =>
    lines.map(({ line, text }) => ({
      path,
      line,
      text: visible(truncate(text.trim(), MOST_LINE_CHARACTERS)),
      revision,
    })),
  )
}
