import type { TrashedWorkspace } from '@patchbay/client/workspaces'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { openRegistry } from '../registry/registry.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { type Asked, parseWorkspace, type ServerWord, withWorkspaces } from './open-workspaces.ts'

/** `patchbay workspace trash`. */
export async function listTrash(task: Task, owner: string | undefined, words: ServerWord): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces }) => {
    const whose = owner ?? (await (await openRegistry(task, words.server)).findHandle())
    const found = await workspaces.trash(whose)
    const rows = found.map(({ id, owner: each, repo, tabs, deletedAt, goneAt }) => [
      `${each}/${repo}`,
      id.slice(0, 8),
      counted(tabs, 'tab'),
      `deleted ${timeInWords(deletedAt)}`,
      `gone ${timeInWords(goneAt)}`,
    ])
    const none = `The trash of ${whose} is empty.`
    return { json: { owner: whose, workspaces: found }, text: found.length === 0 ? none : tableOf(rows) }
  })
}

/** `patchbay workspace restore`. */
export async function restoreWorkspace(
  task: Task,
  text: string,
  words: ServerWord & { readonly as?: string },
): Promise<Outcome> {
  return await withWorkspaces(task, words, async (asked) => {
    const { id, owner } = await findTrashed(asked, text)
    const restored = await asked.workspaces.restore(owner, id, words.as)
    return { json: restored, text: `Restored ${restored.owner}/${restored.repo} with all that it held.` }
  })
}

/** `patchbay workspace purge`. */
export async function purgeWorkspace(
  task: Task,
  text: string,
  words: ServerWord & { readonly yes?: boolean },
): Promise<Outcome> {
  return await withWorkspaces(task, words, async (asked) => {
    const { id, owner, repo } = await findTrashed(asked, text)
    if (words.yes !== true)
      throw new Refusal(
        EXIT.failed,
        'not_confirmed',
        `${owner}/${repo} would be gone for good, with its files. Nothing was deleted.\nTo delete it all the same, add --yes.`,
      )
    await asked.workspaces.purge(owner, id)
    return { json: { deleted: true }, text: `Deleted ${owner}/${repo} for good.` }
  })
}

/** The last deleted of this name. */
async function findTrashed({ workspaces, advise }: Asked, text: string): Promise<TrashedWorkspace> {
  const { owner, repo } = parseWorkspace(text)
  const found = (await workspaces.trash(owner)).find((trashed) => trashed.repo === repo)
  if (found !== undefined) return found
  throw new Refusal(
    EXIT.failed,
    'not_in_trash',
    `${owner}/${repo} was not deleted in the last 30 days.\nList what was with ${advise(`workspace trash ${owner}`)}.`,
  )
}
