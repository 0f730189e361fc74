import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import { type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'

interface SearchWords extends ServerWord {
  readonly path?: string
  readonly caseSensitive?: boolean
  readonly word?: boolean
  readonly wildcards?: boolean
  readonly limit?: number
}

const CUT = {
  lines: 'There are more lines: use --limit, or search for something longer.',
  bytes: 'There is more to search: name a part of it with --path.',
  time: 'The search took too long: name a part of the files with --path.',
} as const

/** `patchbay files search`: as `grep` prints it, with its exit code where there is nothing. */
export async function search(task: Task, name: string, wanted: string, words: SearchWords): Promise<Outcome> {
  return await withWorkspace(task, name, words, 'files:read', async ({ workspace }) => {
    const { word: wholeWord, path, caseSensitive, wildcards, limit } = words
    const found = await workspace.files.search(wanted, { wholeWord, path, caseSensitive, wildcards, limit })
    const lines = found.files.flatMap((file) =>
      file.lines.map(({ line, text }) => `${stripHidden(file.path)}:${line}: ${stripHidden(text.trim())}`),
    )
    const notes = [
      ...(lines.length === 0 ? [`No line of ${counted(found.searched, 'text file')} has it.`] : []),
      ...(found.cut === null ? [] : [CUT[found.cut]]),
      ...(found.tooLarge === 0 ? [] : [`Not searched, above 1 MB: ${counted(found.tooLarge, 'file')}.`]),
    ]
    return {
      json: found,
      text: [...lines, ...notes].join('\n'),
      ...(lines.length === 0 ? { exitCode: EXIT.failed } : {}),
    }
  })
}
