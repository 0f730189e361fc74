import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { openRegistry } from '../registry/registry.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { layoutTree } from './layout-tree.ts'
import { type ServerWord, withWorkspace, withWorkspaces } from './open-workspaces.ts'

/** `patchbay workspace list`. */
export async function listWorkspaces(
  task: Task,
  owner: string | undefined,
  words: ServerWord,
): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces, advise }) => {
    const whose = owner ?? (await (await openRegistry(task, words.server)).findHandle())
    const found = await workspaces.list(whose)
    const rows = found.map(({ owner: each, repo, tabs, changedAt }) => [
      `${each}/${repo}`,
      counted(tabs, 'tab'),
      `changed ${timeInWords(changedAt)}`,
    ])
    const none = `${whose} has no workspaces.\nMake one with ${advise(`workspace make ${whose}/board`)}.`
    return { json: { owner: whose, workspaces: found }, text: found.length === 0 ? none : tableOf(rows) }
  })
}

/** `patchbay workspace show`. */
export async function showWorkspace(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const current = await workspace.current()
    const { version, browsers, isSharing } = current
    const openness =
      browsers === 0
        ? 'open nowhere'
        : `open in ${counted(browsers, 'browser')}, ${isSharing ? 'sharing' : 'not sharing'}`
    return {
      json: current,
      text: [`${name}  version ${version}, ${openness}`, ...layoutTree(current)].join('\n'),
    }
  })
}

/** `patchbay workspace make`. */
export async function makeWorkspace(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name, advise, server }) => {
    const made = await workspace.make()
    const first = made.isNew ? `Made ${name}.` : `${name} is there already, and stays as it is.`
    return {
      json: made,
      text: [
        first,
        tableOf(
          [
            ['page', `${server}/workspaces/${name}`],
            ['next', advise(`workspace add ${name} webview --url https://example.com`).slice(1, -1)],
          ],
          '  ',
        ),
      ].join('\n'),
    }
  })
}

/** `patchbay workspace remove`. */
export async function removeWorkspace(
  task: Task,
  text: string,
  words: ServerWord & { readonly yes?: boolean },
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    if (words.yes !== true) {
      const { tabs } = await workspace.current()
      // A slip of the finger would cost what people have arranged, and nothing brings it back.
      if (tabs.length > 0)
        throw new Refusal(
          EXIT.failed,
          'not_empty',
          `${name} holds ${counted(tabs.length, 'tab')}, which would be gone for good. Nothing was removed.\nTo remove it all the same, add --yes.`,
          { tabs: tabs.length },
        )
    }
    await workspace.remove()
    return { json: { removed: true }, text: `Removed ${name} with all that its panels held.` }
  })
}
