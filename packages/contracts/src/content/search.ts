import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { FILE_LIMITS, SEARCH_LIMITS } from '../core/limits.ts'
import { workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'
import { FILES_PATH, tag } from './files.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))

export const foundLine = Type.Object({
  line: Type.Integer({ description: 'From 1.' }),
  text: Type.String({
    description: `The line, or of a longer one ${SEARCH_LIMITS.shownCharacters} characters around the first match.`,
  }),
  column: Type.Integer({ description: 'Where `text` begins in the line, from 0, in UTF-16 code units.' }),
  ranges: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }), {
    description: `What was found, in \`text\`: the first ${SEARCH_LIMITS.rangesPerLine}.`,
  }),
})
export type FoundLine = Static<typeof foundLine>

export const foundFile = Type.Object({
  path: Type.String(),
  revision: Type.Integer({ description: 'Of the file. What people have typed since is searched as well.' }),
  lines: Type.Array(foundLine),
})
export type FoundFile = Static<typeof foundFile>

export const searchResult = Type.Object({
  files: Type.Array(foundFile, { description: 'In the order of paths.' }),
  searched: Type.Integer({ description: 'How many text files were looked at.' }),
  tooLarge: Type.Integer({
    description: `Files above ${SEARCH_LIMITS.fileBytes.toLocaleString('en-US')} bytes, which were not looked at.`,
  }),
  cut: Type.Union([Type.Literal('lines'), Type.Literal('bytes'), Type.Literal('time'), Type.Null()], {
    description: 'Why there may be more: as many lines as asked for, or too much to look at.',
  }),
})
export type SearchResult = Static<typeof searchResult>

export const getFileSearch = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/search`,
  name: 'searchFiles',
  summary: 'Finds lines in the text files of a workspace, with what is being typed in them',
  description:
    'Text is taken as it is, without regular expressions; upper and lower case are the same unless `caseSensitive`.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: SEARCH_LIMITS.textLength,
        pattern: '^[^\\n\\r\\0]+$',
        description: 'What a line must hold.',
      }),
      caseSensitive: flag('Whether upper and lower case differ.'),
      wholeWord: flag('Only where no letter, digit or underscore stands beside it.'),
      wildcards: flag('A `*` in the text stands for anything between its neighbors, within the line.'),
      path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: FILE_LIMITS.pathBytes,
          description:
            'A file, a folder, or a pattern such as `*.c` or `src/**/test-?.ts`. Without a slash it is about names in any folder.',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SEARCH_LIMITS.lines, default: 200 })),
    },
    { additionalProperties: false },
  ),
  responses: { 200: searchResult },
  problems: [...workspaceRefusals, 'too_many_waiting', 'objects_unavailable'],
})
