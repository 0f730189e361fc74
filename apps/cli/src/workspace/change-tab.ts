import type { CurrentTab, SplitDirection } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from './open-workspaces.ts'
import { pickPanel, pickSplit, pickTab } from './pick-tab.ts'

export interface ChangeWords extends ServerWord {
  readonly reason?: string
}

export interface MoveWords extends ChangeWords {
  readonly to?: string
  readonly index?: number
  readonly split?: SplitDirection
}

/** Finds the tab, changes it, and says what is true now. */
async function changeTab(
  task: Task,
  text: string,
  tabText: string,
  words: ChangeWords,
  change: (tab: CurrentTab, asked: AskedWorkspace) => Promise<{ version?: number; said: string }>,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async (asked) => {
    const tab = pickTab(await asked.workspace.current(), tabText)
    const { said, ...version } = await change(tab, asked)
    return { json: { tabId: tab.tabId, ...version }, text: said }
  })
}

/** `patchbay workspace activate`. */
export function activateTab(task: Task, text: string, tab: string, words: ChangeWords): Promise<Outcome> {
  return changeTab(task, text, tab, words, async ({ tabId, displayName }, { workspace }) => ({
    version: await workspace.activateTab(tabId, words),
    said: `${stripHidden(displayName)} is in front now.`,
  }))
}

/** `patchbay workspace rename`. */
export function renameTab(
  task: Task,
  text: string,
  tab: string,
  title: string,
  words: ChangeWords & { readonly icon?: string },
): Promise<Outcome> {
  return changeTab(task, text, tab, words, async ({ tabId, displayName }, { workspace }) => {
    const { reason, icon } = words
    const options = { reason, ...(icon === undefined ? {} : { icon }) }
    return {
      version: await workspace.renameTab(tabId, title, options),
      said: `${stripHidden(displayName)} is called ${stripHidden(title)} now.`,
    }
  })
}

/** `patchbay workspace move`. */
export function moveTab(task: Task, text: string, tab: string, words: MoveWords): Promise<Outcome> {
  const { to, index, split: direction } = words
  if (to === undefined && index === undefined && direction === undefined)
    throw new Refusal(
      EXIT.usage,
      'bad_option',
      'Say where it goes: --to another panel, --index among its tabs, or --split left, right, up or down.',
    )
  return changeTab(task, text, tab, words, async ({ tabId, panelId, displayName }, { workspace }) => {
    const named = to === undefined ? undefined : pickPanel(await workspace.current(), to)
    // An index alone is a place among the tabs that it stands among.
    const home = named ?? (direction === undefined ? panelId : undefined)
    return {
      version: await workspace.moveTab(tabId, { panelId: home, index, direction }, words),
      said: `Moved ${stripHidden(displayName)}.`,
    }
  })
}

/** `patchbay workspace close`. */
export function closeTab(task: Task, text: string, tab: string, words: ServerWord): Promise<Outcome> {
  return changeTab(task, text, tab, words, async ({ tabId, displayName }, { workspace, name, advise }) => {
    await workspace.closeTab(tabId)
    return {
      said: `Closed ${stripHidden(displayName)}.\nBring it back with ${advise(`workspace reopen ${name}`)}.`,
    }
  })
}

/** `patchbay workspace resize`. */
export async function resizeSplit(
  task: Task,
  text: string,
  split: string,
  sizes: readonly number[],
  words: ChangeWords,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace }) => {
    const splitId = pickSplit(await workspace.current(), split)
    const version = await workspace.resizeSplit(splitId, sizes, words)
    const all = sizes.reduce((sum, size) => sum + size, 0)
    const shares = sizes.map((size) => `${Math.round((size / all) * 100)} %`)
    return { json: { splitId, version }, text: `The parts have ${shares.join(', ')} now.` }
  })
}
