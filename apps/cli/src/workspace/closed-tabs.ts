import type { ClosedTab } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import type { ChangeWords } from './change-tab.ts'
import { type ServerWord, withWorkspace } from './open-workspaces.ts'

/** Shorter beginnings of ids are words. */
const LEAST_PREFIX = 4

/** `patchbay workspace closed`. */
export async function listClosedTabs(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const closed = await workspace.closedTabs()
    const none = `No tab of ${name} was closed in the last 30 days.`
    return { json: { closedTabs: closed }, text: closed.length === 0 ? none : tableOf(closed.map(rowOf)) }
  })
}

/** `patchbay workspace reopen`. */
export async function reopenTab(
  task: Task,
  text: string,
  tab: string | undefined,
  words: ChangeWords,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name }) => {
    const { tabId, displayName } = pick(await workspace.closedTabs(), name, tab)
    const reopened = await workspace.reopenTab(tabId, words)
    return { json: reopened, text: `Reopened ${stripHidden(displayName)}.` }
  })
}

function pick(closed: readonly ClosedTab[], name: string, text: string | undefined): ClosedTab {
  const [last] = closed
  if (last === undefined)
    throw new Refusal(EXIT.failed, 'tab_not_found', `No tab of ${name} was closed in the last 30 days.`)
  if (text === undefined) return last
  const isMeant = ({ tabId }: ClosedTab) =>
    tabId === text || (text.length >= LEAST_PREFIX && tabId.startsWith(text.toLowerCase()))
  const byId = closed.filter(isMeant)
  // Of several with one title the last closed is meant, as it is without a title.
  const found = byId.length === 1 ? byId[0] : closed.find(({ displayName }) => displayName === text)
  if (found !== undefined) return found
  throw new Refusal(
    EXIT.failed,
    'tab_not_found',
    `${name} has no closed tab "${stripHidden(text)}". There are:\n${tableOf(closed.map(rowOf), '  ')}`,
    { closedTabs: closed.map(({ tabId, displayName, kind }) => ({ tabId, displayName, kind })) },
  )
}

function rowOf({ displayName, kind, closedAt, tabId }: ClosedTab): string[] {
  return [stripHidden(displayName), kind, `closed ${timeInWords(closedAt)}`, tabId]
}
