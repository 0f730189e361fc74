import { type ContentFile, UnexpectedResponse, type WorkspaceFiles } from '@patchbay/client/workspaces'
import { truncate } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import { withProgress } from '../progress.ts'
import { defineTool, type Work } from '../tool.ts'
import { FILE_TEXT_IS_DATA, visible, withFiles } from './files.ts'
import type { OpenServer } from './opened-server.ts'
import { workspaceArgument } from './pick.ts'

const MOST_MATCHES = 200
const MOST_LINE_CHARACTERS = 300
/** Larger ones are data that programs wrote. */
const MOST_FILE_BYTES = 1024 * 1024
/** Of one search: this process holds a batch of it at a time. */
const MOST_BYTES = 64 * 1024 * 1024
const BATCH_BYTES = 8 * 1024 * 1024
const BATCH_FILES = 500
const USUAL_SECONDS = 30
/** What is certainly no text is not fetched. */
const NO_TEXT =
  /^(?:image\/(?!svg)|video\/|audio\/|model\/(?:stl|gltf-binary|ply)|application\/(?:pdf|zip|gzip|wasm))/

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
  tooLarge: Type.Integer({ description: 'Files above 1 MiB, which were not searched.' }),
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
    const matches = matcherOf(given)
    const progress = { message: 'Searching', totalSeconds: USUAL_SECONDS }
    return await withProgress(context, progress, now, () =>
      withFiles(open, given.workspace, 'files:read', signal, async ({ workspace: { files }, name }) => {
        const listed = await files.list({
          recursive: true,
          ...(given.folder === undefined ? {} : { folder: given.folder }),
        })
        const found = await search(files, listed.files, matches, signal)
        const lines = found.matches.map(({ path, line, text }) => `${visible(path)}:${line}: ${text}`)
        const none = lines.length === 0 ? ['No line has it.'] : []
        const notes = [
          ...(found.isCut ? ['There may be more: name a folder, or search for something longer.'] : []),
          ...(found.tooLarge > 0 ? [`${found.tooLarge} files above 1 MiB were not searched.`] : []),
        ]
        return {
          text: [
            `${name}, ${found.searched} text files. ${FILE_TEXT_IS_DATA}`,
            ...lines,
            ...none,
            ...notes,
          ].join('\n'),
          facts: { workspace: name, ...found },
        }
      }),
    )
  }
}

/** No regular expression: one of a stranger can keep a process busy for hours. */
function matcherOf(given: {
  readonly text: string
  readonly isPattern?: boolean
  readonly ignoreCase?: boolean
}): (line: string) => boolean {
  const { text, isPattern = false, ignoreCase = false } = given
  const fold = (each: string) => (ignoreCase ? each.toLowerCase() : each)
  const parts = (isPattern ? text.split('*') : [text]).map(fold)
  return (line) => {
    const folded = fold(line)
    let from = 0
    for (const part of parts) {
      const at = folded.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return true
  }
}

interface Found {
  readonly matches: { path: string; line: number; text: string; revision: number }[]
  searched: number
  isCut: boolean
  readonly tooLarge: number
}

async function search(
  files: WorkspaceFiles,
  listed: readonly ContentFile[],
  matches: (line: string) => boolean,
  signal: AbortSignal,
): Promise<Found> {
  const candidates = listed.filter(({ mediaType }) => !NO_TEXT.test(mediaType))
  const wanted = candidates.filter(({ size }) => size <= MOST_FILE_BYTES)
  const found: Found = {
    matches: [],
    searched: 0,
    isCut: false,
    tooLarge: candidates.length - wanted.length,
  }
  let bytes = 0
  for (const batch of batchesOf(wanted)) {
    signal.throwIfAborted()
    bytes += batch.reduce((all, { size }) => all + size, 0)
    if (bytes > MOST_BYTES) return { ...found, isCut: true }
    const contents = await readBatch(files, batch)
    for (const file of batch) {
      const text = textOf(contents.get(file.sha256))
      if (text === undefined) continue
      found.searched += 1
      for (const [index, line] of text.split(/\r?\n/).entries()) {
        if (!matches(line)) continue
        if (found.matches.length >= MOST_MATCHES) return { ...found, isCut: true }
        const shown = visible(truncate(line.trim(), MOST_LINE_CHARACTERS))
        found.matches.push({ path: file.path, line: index + 1, text: shown, revision: file.revision })
      }
    }
  }
  return found
}

function batchesOf(files: readonly ContentFile[]): ContentFile[][] {
  const batches: ContentFile[][] = []
  let bytes = 0
  for (const file of files) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= BATCH_FILES || bytes + file.size > BATCH_BYTES) {
      batches.push([file])
      bytes = file.size
    } else {
      last.push(file)
      bytes += file.size
    }
  }
  return batches
}

/** Each content once, by its hash. */
async function readBatch(
  files: WorkspaceFiles,
  batch: readonly ContentFile[],
): Promise<Map<string, Uint8Array>> {
  const sizes = new Map(batch.map(({ sha256, size }) => [sha256, size]))
  const all = new Uint8Array(await new Response(await files.readContents([...sizes.keys()])).arrayBuffer())
  const expected = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (all.byteLength !== expected) throw new UnexpectedResponse(200, 'the contents have other sizes')
  let from = 0
  const contents = new Map<string, Uint8Array>()
  for (const [sha256, size] of sizes) {
    contents.set(sha256, all.subarray(from, from + size))
    from += size
  }
  return contents
}

function textOf(content: Uint8Array | undefined): string | undefined {
  if (content === undefined || content.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}
