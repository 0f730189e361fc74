import { refuseEdge, withinLimits } from './add-tab.ts'
import { type EdgePlace, isEdgePlace, type LayoutChange, type LeafPlace } from './change.ts'
import { findLeaf, findTab } from './find.ts'
import type { Layout, LayoutNode, Leaf, Tab } from './layout.ts'
import { insertTab, withoutTab } from './leaf-tabs.ts'
import { addLeaf } from './place.ts'
import { type Outcome, refuse } from './refusal.ts'
import { rebuild } from './tree.ts'

type MoveTab = Extract<LayoutChange, { type: 'moveTab' }>

export function moveTab(layout: Layout, { tabId, to, activate }: MoveTab): Outcome {
  const found = findTab(layout, tabId)
  if (found === undefined) return refuse('no_such_tab')
  const { leaf, tab } = found
  if (isEdgePlace(to)) return moveToEdge(layout, leaf, tab, to)
  return to.leafId === leaf.id
    ? reorder(layout, leaf, tab, to, activate)
    : moveToLeaf(layout, leaf, tab, to, activate)
}

function moveToEdge(layout: Layout, leaf: Leaf, tab: Tab, to: EdgePlace): Outcome {
  // The same move again, after a lost answer.
  if (to.newLeafId === leaf.id) return { layout }
  const refusal = refuseEdge(layout, to, tab.id)
  if (refusal !== undefined) return refusal
  const rest = takeOut(layout.root, leaf, tab)
  // A leaf cannot stand beside itself: with its only tab gone there is nothing left to stand beside.
  if (rest === undefined || (leaf.tabs.length === 1 && to.leafId === leaf.id)) return { layout }
  return withinLimits(addLeaf(rest, to, tab))
}

/** The index counts the other tabs, so that the same move made twice ends at the same place. */
function reorder(layout: Layout, leaf: Leaf, tab: Tab, to: LeafPlace, activate = true): Outcome {
  const others = leaf.tabs.filter(({ id }) => id !== tab.id)
  const next = insertTab({ ...leaf, tabs: others }, tab, to.index, activate)
  const isSame = next.activeTabId === leaf.activeTabId && next.tabs.every((one, at) => one === leaf.tabs[at])
  if (isSame) return { layout }
  return { layout: { root: rebuild(layout.root, leaf.id, () => next) ?? next } }
}

function moveToLeaf(layout: Layout, leaf: Leaf, tab: Tab, to: LeafPlace, activate?: boolean): Outcome {
  const target = findLeaf(layout, to.leafId)
  if (target === undefined) return refuse('no_such_leaf')
  const grown = insertTab(target, tab, to.index, activate)
  const root = rebuild(layout.root, target.id, () => grown) ?? grown
  return { layout: { root: takeOut(root, leaf, tab) ?? grown } }
}

/** `undefined` when nothing is left. */
export function takeOut(root: LayoutNode, leaf: Leaf, tab: Tab): LayoutNode | undefined {
  return rebuild(root, leaf.id, () => withoutTab(leaf, tab.id))
}
