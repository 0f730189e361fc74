import { type EdgePlace, isEdgePlace, type LayoutChange } from './change.ts'
import { depthOf, findLeaf, findTab, idsOf, leaves, tabs } from './find.ts'
import type { Layout, LayoutNode, LayoutRules } from './layout.ts'
import { insertTab, isSameTab } from './leaf-tabs.ts'
import { LAYOUT_LIMITS } from './limits.ts'
import { addLeaf } from './place.ts'
import { type Outcome, type Refusal, refuse } from './refusal.ts'
import { rebuild } from './tree.ts'

type AddTab = Extract<LayoutChange, { type: 'addTab' }>

export function addTab(layout: Layout, { tab, at, activate }: AddTab, rules: LayoutRules): Outcome {
  const present = findTab(layout, tab.id)?.tab
  // Whoever asks again after a lost answer must not be told that it failed.
  if (present !== undefined && isSameTab(present, tab)) return { layout }
  if (idsOf(layout).has(tab.id)) return refuse('id_taken')
  const all = tabs(layout)
  if (all.some(({ panel }) => panel === tab.panel) && rules.isSingleton(tab.panel))
    return refuse('singleton_exists')
  if (all.length >= LAYOUT_LIMITS.tabs) return refuse('too_many_tabs')
  if (isEdgePlace(at)) {
    const refusal = refuseEdge(layout, at, tab.id)
    return refusal ?? withinLimits(addLeaf(layout.root, at, tab))
  }
  const leaf = findLeaf(layout, at.leafId)
  if (leaf === undefined) return refuse('no_such_leaf')
  const grown = insertTab(leaf, tab, at.index, activate)
  return { layout: { root: rebuild(layout.root, leaf.id, () => grown) ?? grown } }
}

/** Both ids must be free even where the split will not be needed: a refusal must not depend on where a leaf stands. */
export function refuseEdge(
  layout: Layout,
  { leafId, newLeafId, newSplitId }: EdgePlace,
  tabId: string,
): { readonly refused: Refusal } | undefined {
  if (leafId !== undefined && findLeaf(layout, leafId) === undefined) return refuse('no_such_leaf')
  const taken = idsOf(layout).add(tabId)
  return newLeafId === newSplitId || taken.has(newLeafId) || taken.has(newSplitId)
    ? refuse('id_taken')
    : undefined
}

export function withinLimits(root: LayoutNode): Outcome {
  const layout = { root }
  if (leaves(layout).length > LAYOUT_LIMITS.leaves) return refuse('too_many_leaves')
  if (depthOf(root) > LAYOUT_LIMITS.depth) return refuse('too_deep')
  return { layout }
}
