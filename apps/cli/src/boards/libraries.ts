import { type BoardLibrary, Problem } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { readName } from '../install/package-name.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import { LIBRARY_REFUSED } from './words.ts'

/** `patchbay board libraries list`. */
export async function listLibraries(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'files:read', async ({ workspace, name, advise }) => {
    const libraries = await workspace.boards.libraries.list()
    if (libraries.length === 0)
      return {
        json: { libraries },
        text: `${name} has no library packages.\nAdd one with ${advise(`board libraries add ${name} <package>`)}; ${advise('search --type library')} finds some.`,
      }
    const rows = libraries.map((each) => [
      each.identifier,
      each.version,
      partsOf(each),
      bytesInWords(each.bytes),
    ])
    return { json: { libraries }, text: tableOf(rows) }
  })
}

/** `patchbay board libraries add`. */
export async function addLibrary(
  task: Task,
  text: string,
  named: string,
  words: ServerWord & { readonly reason?: string },
): Promise<Outcome> {
  const { reason } = words
  const { identifier, version } = readName(named)
  return await withWorkspace(task, text, words, 'files:write', async (asked) => {
    const library = await telling(asked, identifier, () =>
      asked.workspace.boards.libraries.add(identifier, { version, reason }),
    )
    const names = [...new Set([...library.symbols.map(({ nickname }) => nickname), ...library.footprints])]
    const called = names.length === 0 ? '' : `\nKiCad calls it ${names.map(stripHidden).join(', ')}.`
    return {
      json: library,
      text: `Added ${identifier} ${library.version} to ${asked.name}: ${partsOf(library)}.${called}`,
    }
  })
}

/** `patchbay board libraries remove`. */
export async function removeLibrary(
  task: Task,
  text: string,
  identifier: string,
  words: ServerWord & { readonly reason?: string },
): Promise<Outcome> {
  const { reason } = words
  return await withWorkspace(task, text, words, 'files:write', async (asked) => {
    await telling(asked, identifier, () => asked.workspace.boards.libraries.remove(identifier, { reason }))
    return { json: { identifier }, text: `Removed ${identifier} from ${asked.name}.` }
  })
}

const partsOf = ({ symbols, footprints, models }: BoardLibrary) =>
  [
    ...(symbols.length === 0 ? [] : [counted(symbols.length, 'symbol library', 'symbol libraries')]),
    ...(footprints.length === 0
      ? []
      : [counted(footprints.length, 'footprint library', 'footprint libraries')]),
    ...(models === 0 ? [] : [counted(models, '3D model')]),
  ].join(', ')

/** Refusals that are about libraries, each as a sentence with what to do. */
async function telling<Result>(
  asked: AskedWorkspace,
  identifier: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const words = LIBRARY_REFUSED[error.code]
    throw words === undefined
      ? error
      : new Refusal(EXIT.failed, error.code, words(identifier, asked, error.detail))
  }
}
