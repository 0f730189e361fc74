import {
  type CurrentTab,
  type CurrentWorkspace,
  findTab,
  findTabs,
  type LayoutNode,
} from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import { counted, tableOf } from '../terminal/table.ts'

/** Shorter beginnings of ids are words. */
const LEAST_PREFIX = 4

/** The tab that somebody means: by its id, its panel, its title or kind, or the beginning of an id. */
export function pickTab(current: CurrentWorkspace, text: string): CurrentTab {
  const only =
    findTab(current, { tabId: text }) ??
    findTab(current, { panelId: text }) ??
    findTab(current, { title: text }) ??
    byPrefix(current, text) ??
    findTab(current, { kind: text })
  if (only !== undefined) return only
  const several = [findTabs(current, { title: text }), findTabs(current, { kind: text })]
  throw refuse(current, text, several.find(({ length }) => length > 1) ?? [])
}

/** The leaf that somebody means: by its id or the beginning of it, or by one of its tabs. */
export function pickPanel(current: CurrentWorkspace, text: string): string {
  const leaves = nodesOf(current.layout.root).filter(({ type }) => type === 'leaf')
  return byIdOrPrefix(leaves, text)?.id ?? pickTab(current, text).panelId
}

export function pickSplit(current: CurrentWorkspace, text: string): string {
  const splits = nodesOf(current.layout.root).filter(({ type }) => type === 'split')
  const found = byIdOrPrefix(splits, text)
  if (found !== undefined) return found.id
  const there =
    splits.length === 0 ? 'It has none.' : `There are:\n${splits.map(({ id }) => `  ${id}`).join('\n')}`
  throw new Refusal(
    EXIT.failed,
    'split_not_found',
    `${current.owner}/${current.repo} has no split "${stripHidden(text)}". ${there}`,
    { splits: splits.map(({ id }) => id) },
  )
}

function nodesOf(node: LayoutNode): LayoutNode[] {
  return node.type === 'leaf' ? [node] : [node, ...node.children.flatMap(nodesOf)]
}

function byIdOrPrefix(nodes: readonly LayoutNode[], text: string): LayoutNode | undefined {
  const found = nodes.filter(({ id }) => id === text || isPrefix(text, id))
  return found.length === 1 ? found[0] : undefined
}

function byPrefix({ tabs }: CurrentWorkspace, text: string): CurrentTab | undefined {
  const found = tabs.filter(
    ({ tabId, panelId, isActive }) => isPrefix(text, tabId) || (isActive && isPrefix(text, panelId)),
  )
  return found.length === 1 ? found[0] : undefined
}

function isPrefix(text: string, id: string): boolean {
  return text.length >= LEAST_PREFIX && id.startsWith(text.toLowerCase())
}

function refuse(current: CurrentWorkspace, text: string, several: readonly CurrentTab[]): Refusal {
  const name = `${current.owner}/${current.repo}`
  const shown = several.length > 0 ? several : current.tabs
  const meant = nearest(
    text,
    current.tabs.map(({ displayName }) => displayName),
  )
  const said =
    several.length > 0
      ? `"${stripHidden(text)}" may be any of ${counted(several.length, 'tab')} of ${name}. Name it by its id:`
      : current.tabs.length === 0
        ? `${name} has no tabs. Add one with "patchbay workspace add ${name} webview".`
        : `${name} has no tab "${stripHidden(text)}".${meant === undefined ? '' : ` Did you mean "${stripHidden(meant)}"?`} There are:`
  const rows = shown.map(({ displayName, kind, tabId }) => [stripHidden(displayName), kind, tabId])
  return new Refusal(
    EXIT.failed,
    several.length > 0 ? 'tab_ambiguous' : 'tab_not_found',
    [said, tableOf(rows, '  ')].filter((line) => line !== '').join('\n'),
    { tabs: shown.map(({ displayName, kind, tabId, panelId }) => ({ displayName, kind, tabId, panelId })) },
  )
}
