import type { LayoutChange } from './change.ts'
import { findLeaf, findTab, nodesUnder } from './find.ts'
import { placeAgain, placeOfTab } from './former-place.ts'
import type { Layout, LayoutNode, Split } from './layout.ts'
import { isSameTab } from './leaf-tabs.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A change that was made: what it made of what. With the two exchanged it is the way back. */
export interface Step {
  readonly change: LayoutChange
  readonly from: Layout
  readonly to: Layout
}

type Retraced =
  | { readonly change: LayoutChange; readonly refused?: never }
  | { readonly refused: Refusal; readonly change?: never }

/**
 * The change that does to a layout what a step did, from its `from` to its `to`. Where nobody has changed anything else,
 * it leads to the very layout of the step. Where somebody has, it only touches the tab or the split that the step was about,
 * and none whose place, title or sizes somebody has changed again.
 */
export function retrace(
  { change, from, to }: Step,
  current: Layout,
  spare: { readonly newLeafId: string; readonly newSplitId: string },
): Retraced {
  if (isArrangedAs(current, from))
    return { change: { type: 'replace', layout: withActiveTabs(from, to, current), expected: current } }
  switch (change.type) {
    case 'addTab':
      return retraceTab(change.tab.id, { from, to }, current, spare)
    case 'removeTab':
    case 'moveTab':
    case 'retitleTab':
    case 'activateTab':
      return retraceTab(change.tabId, { from, to }, current, spare)
    case 'resizeSplit':
      return retraceSizes(change.splitId, { from, to }, current)
    case 'replace':
      break
    default:
      change satisfies never
  }
  return refuse('layout_changed')
}

function retraceTab(
  tabId: string,
  { from, to }: Pick<Step, 'from' | 'to'>,
  current: Layout,
  spare: { readonly newLeafId: string; readonly newSplitId: string },
): Retraced {
  const [was, be, now] = [from, to, current].map((layout) => findTab(layout, tabId))
  if (be === undefined)
    return now === undefined ? refuse('no_such_tab') : { change: { type: 'removeTab', tabId } }
  const place = placeOfTab(to, tabId)
  if (place === undefined) return refuse('no_such_tab')
  if (was === undefined)
    return { change: { type: 'addTab', tab: be.tab, at: placeAgain(current, place, spare) } }
  if (now === undefined) return refuse('no_such_tab')
  if (!isSameTab(was.tab, be.tab)) {
    const { title, icon } = be.tab
    return isSameTab(now.tab, was.tab)
      ? { change: { type: 'retitleTab', tabId, title, ...(icon !== undefined && { icon }) } }
      : refuse('layout_changed')
  }
  if (now.leaf.id !== was.leaf.id) return refuse('layout_changed')
  return { change: { type: 'moveTab', tabId, to: placeAgain(current, place, spare) } }
}

function retraceSizes(splitId: string, { from, to }: Pick<Step, 'from' | 'to'>, current: Layout): Retraced {
  const [was, be, now] = [from, to, current].map(({ root }) =>
    nodesUnder(root).find((node): node is Split => node.type === 'split' && node.id === splitId),
  )
  if (now === undefined) return refuse('no_such_split')
  return was !== undefined && be !== undefined && areSame(now.sizes, was.sizes)
    ? { change: { type: 'resizeSplit', splitId, sizes: be.sizes } }
    : refuse('layout_changed')
}

/** Whether two layouts are the same but for which tabs are active: looking at another tab is no change of the arrangement. */
export function isArrangedAs(one: Layout, other: Layout): boolean {
  return one === other || areAlike(one.root, other.root)
}

function areAlike(one: LayoutNode, other: LayoutNode): boolean {
  if (one === other) return true
  if (one.id !== other.id) return false
  if (one.type === 'leaf')
    return (
      other.type === 'leaf' &&
      one.tabs.length === other.tabs.length &&
      one.tabs.every((tab, at) => isSameTab(tab, other.tabs[at] ?? tab))
    )
  return (
    other.type === 'split' &&
    one.direction === other.direction &&
    areSame(one.sizes, other.sizes) &&
    one.children.length === other.children.length &&
    one.children.every((child, at) => areAlike(child, other.children[at] ?? child))
  )
}

function areSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((size, at) => size === other[at])
}

/** What was turned to since the step stays in front. */
function withActiveTabs(from: Layout, to: Layout, current: Layout): Layout {
  const settle = (node: LayoutNode): LayoutNode => {
    if (node.type === 'split') return { ...node, children: node.children.map(settle) }
    const [was, now] = [from, current].map((layout) => findLeaf(layout, node.id)?.activeTabId)
    const isTurned = now !== undefined && now !== was && node.tabs.some(({ id }) => id === now)
    return isTurned ? { ...node, activeTabId: now } : node
  }
  return { root: settle(to.root) }
}
