import { type NewTab, Problem, type SplitDirection } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from './open-workspaces.ts'
import { pickPanel } from './pick-tab.ts'
import { requireWebAddress } from './web-address.ts'

export interface AddWords extends ServerWord {
  readonly panel?: string
  readonly split?: SplitDirection
  readonly title?: string
  readonly icon?: string
  readonly url?: string
  readonly state?: string
  readonly background?: boolean
  readonly reason?: string
}

/** `patchbay workspace add`. */
export async function addTab(task: Task, text: string, panel: string, words: AddWords): Promise<Outcome> {
  const initialState = stateOf(words)
  return await withWorkspace(task, text, words, 'workspace', async (asked) => {
    const { workspace, name } = asked
    const options: NewTab = {
      panelId: words.panel === undefined ? undefined : pickPanel(await workspace.current(), words.panel),
      title: words.title,
      icon: words.icon,
      initialState,
      activate: words.background === true ? false : undefined,
      reason: words.reason,
    }
    const added = await (words.split === undefined
      ? workspace.addTab(panel, options)
      : workspace.split(words.split, panel, options)
    ).catch(async (error: unknown) => {
      throw (await unknownPanel(error, panel, asked)) ?? error
    })
    return {
      json: added,
      text: `Added ${stripHidden(words.title ?? panel)} to ${name}.\n${tableOf(
        [
          ['tab', added.tabId],
          ['panel', added.panelId],
        ],
        '  ',
      )}`,
    }
  })
}

function stateOf({ state, url }: AddWords): Record<string, unknown> | undefined {
  if (url !== undefined) requireWebAddress(url)
  if (state === undefined) return url === undefined ? undefined : { url }
  const value = parse(state)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(
      EXIT.usage,
      'bad_option',
      `--state takes a JSON object, such as '{"url": "https://example.com"}'.`,
    )
  return url === undefined ? { ...value } : { ...value, url }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What was probably meant is only looked up when it was not understood. */
async function unknownPanel(
  error: unknown,
  panel: string,
  { workspace, advise }: AskedWorkspace,
): Promise<Refusal | undefined> {
  if (!(error instanceof Problem) || error.code !== 'panel_type_not_found') return undefined
  const kinds = (await workspace.catalog()).filter(({ url }) => url === undefined).map(({ kind }) => kind)
  const meant = nearest(panel, kinds)
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new Refusal(
    EXIT.failed,
    error.code,
    `The catalog has no panel "${stripHidden(panel)}".${guess}\nSee ${advise('workspace panels')}.`,
  )
}
