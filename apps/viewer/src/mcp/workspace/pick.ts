import type { CurrentTab, CurrentWorkspace, Workspace } from '@patchbay/client/workspaces'
import { displayText } from '@patchbay/primitives/text'
import { Type } from 'typebox'
import { ToolRefusal } from '../tool-refusal.ts'
import type { OpenedServer } from './opened-server.ts'

const REF = /^([a-z0-9]+(?:-[a-z0-9]+)*)\/(?!\.{1,2}$)([A-Za-z0-9._-]{1,100})$/
const MOST_NAMED = 30

/** Arguments that several tools take. */
export const workspaceArgument = Type.Optional(
  Type.String({
    maxLength: 140,
    description: 'Owner and repository, such as ada/board. Not needed while the person has one workspace.',
  }),
)
export const panelIdArgument = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'The panel, by its id of av_list_panels: its tab in front is meant.',
  }),
)
export const tabIdArgument = Type.Optional(
  Type.String({ maxLength: 100, description: 'The tab, by its id of av_list_panels.' }),
)
export const reasonArgument = Type.Optional(
  Type.String({ maxLength: 200, description: 'Why, shown to the person who watches the workspace.' }),
)
/** Of what is found in a history later. */
export const reasonKeptWith = (what: 'change' | 'command') =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `Why, shown to the people who watch and kept with the ${what}.`,
  })

export interface Picked {
  readonly workspace: Workspace
  /** `ada/board`. */
  readonly name: string
}

/** The workspace that is meant. Of several none is guessed: they are named. */
export async function pickWorkspace(opened: OpenedServer, named: string | undefined): Promise<Picked> {
  if (named !== undefined) return parse(opened, named)
  const handle = await opened.findHandle()
  const all = await opened.workspaces.list(handle)
  const [only, another] = all
  if (only === undefined)
    throw new ToolRefusal(
      `${handle} has no workspace on ${opened.server}. If one of somebody else is meant, name it as workspace: "owner/repository".`,
    )
  if (another === undefined) return parse(opened, `${only.owner}/${only.repo}`)
  const names = all.slice(0, MOST_NAMED).map(({ owner, repo }) => `${owner}/${repo}`)
  const rest = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : ''
  throw new ToolRefusal(`Which workspace? Name it as "workspace": ${names.join(', ')}${rest}.`)
}

function parse({ workspaces }: OpenedServer, named: string): Picked {
  const [, owner, repo] = REF.exec(named) ?? []
  if (owner === undefined || repo === undefined)
    throw new ToolRefusal(
      `A workspace is named by its owner and repository, such as ada/board, not "${displayText(named, 60)}".`,
    )
  return { workspace: workspaces.workspace({ owner, repo }), name: `${owner}/${repo}` }
}

export interface WantedPanel {
  readonly panelId?: string | undefined
  readonly tabId?: string | undefined
}

/** The tab of a kind that is meant; `undefined` where nothing was named and there is none of the kind. */
export function pickTab(
  { tabs }: Pick<CurrentWorkspace, 'tabs'>,
  { panelId, tabId }: WantedPanel,
  kind: string | undefined,
): CurrentTab | undefined {
  const isNamed = panelId !== undefined || tabId !== undefined
  const fits = isNamed
    ? tabs.filter(
        (tab) =>
          (tabId === undefined || tab.tabId === tabId) &&
          (panelId === undefined || (tab.panelId === panelId && (tabId !== undefined || tab.isActive))),
      )
    : tabs.filter((tab) => tab.kind === kind)
  const [first, second] = fits
  if (first === undefined) {
    if (!isNamed) return undefined
    throw new ToolRefusal(
      'There is no panel or tab with this id. av_list_panels shows the ids of those that are there.',
    )
  }
  if (second !== undefined)
    throw new ToolRefusal(
      `Which one? Name it by its tabId:\n${fits.slice(0, MOST_NAMED).map(tabLine).join('\n')}`,
    )
  if (kind !== undefined && first.kind !== kind)
    throw new ToolRefusal(
      `"${displayText(first.displayName, 80)}" is a ${displayText(first.kind, 40)} panel, and this tool is for ${kind} panels.`,
    )
  return first
}

export function tabLine(tab: CurrentTab): string {
  const where = urlIn(tab)
  return `  ${tab.kind} "${displayText(tab.displayName, 80)}"${where === undefined ? '' : ` at ${displayText(where, 200)}`}, tabId ${tab.tabId}, panelId ${tab.panelId}${tab.isActive ? ', in front' : ''}`
}

/** What a web view shows. */
export function urlIn({ state }: CurrentTab): string | undefined {
  const { url } = Object(state) as { readonly url?: unknown }
  return typeof url === 'string' ? url : undefined
}
