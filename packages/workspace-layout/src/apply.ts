import { addTab } from './add-tab.ts'
import type { LayoutChange } from './change.ts'
import { checkLayout } from './check.ts'
import { findTab, nodesUnder, tabs } from './find.ts'
import { emptyLayout, type Layout, type LayoutRules, type Leaf } from './layout.ts'
import { isSameTab, replaceTab } from './leaf-tabs.ts'
import { moveTab, takeOut } from './move-tab.ts'
import { type Outcome, refuse } from './refusal.ts'
import { isArrangedAs } from './retrace.ts'
import { LARGEST_SIZE, normalizeSizes } from './sizes.ts'
import { rebuild } from './tree.ts'

type Change<Kind extends LayoutChange['type']> = Extract<LayoutChange, { type: Kind }>

/**
 * Makes one change, or says why not. A valid layout and a change of the published shape give a valid layout. A change
 * that changes nothing gives the very same layout.
 */
export function applyChange(layout: Layout, change: LayoutChange, rules: LayoutRules): Outcome {
  switch (change.type) {
    case 'addTab':
      return addTab(layout, change, rules)
    case 'removeTab':
      return removeTab(layout, change)
    case 'moveTab':
      return moveTab(layout, change)
    case 'activateTab':
      return activateTab(layout, change)
    case 'retitleTab':
      return retitleTab(layout, change)
    case 'resizeSplit':
      return resizeSplit(layout, change)
    case 'replace':
      return replace(layout, change, rules)
    default:
      // Only a caller that did not check what it was sent comes here. Going on without the change would hide that.
      change satisfies never
      throw new TypeError('not a change of a known kind')
  }
}

function removeTab(layout: Layout, { tabId }: Change<'removeTab'>): Outcome {
  const found = findTab(layout, tabId)
  if (found === undefined) return refuse('no_such_tab')
  const rest = takeOut(layout.root, found.leaf, found.tab)
  return { layout: rest === undefined ? emptyLayout(found.leaf.id) : { root: rest } }
}

function activateTab(layout: Layout, { tabId }: Change<'activateTab'>): Outcome {
  const leaf = findTab(layout, tabId)?.leaf
  if (leaf === undefined) return refuse('no_such_tab')
  return leaf.activeTabId === tabId ? { layout } : withLeaf(layout, { ...leaf, activeTabId: tabId })
}

function retitleTab(layout: Layout, { tabId, title, icon }: Change<'retitleTab'>): Outcome {
  const found = findTab(layout, tabId)
  if (found === undefined) return refuse('no_such_tab')
  const tab = { ...found.tab, title, ...(icon !== undefined && { icon }) }
  return isSameTab(tab, found.tab) ? { layout } : withLeaf(layout, replaceTab(found.leaf, tab))
}

function resizeSplit(layout: Layout, { splitId, sizes }: Change<'resizeSplit'>): Outcome {
  const split = nodesUnder(layout.root).find(({ id }) => id === splitId)
  if (split?.type !== 'split') return refuse('no_such_split')
  const fit =
    sizes.length === split.children.length && sizes.every((size) => size > 0 && size <= LARGEST_SIZE)
  if (!fit) return refuse('sizes_mismatch')
  const next = normalizeSizes(sizes)
  if (next.every((size, at) => size === split.sizes[at])) return { layout }
  const resized = { ...split, sizes: next }
  return { layout: { root: rebuild(layout.root, splitId, () => resized) ?? resized } }
}

function replace(current: Layout, { layout, expected }: Change<'replace'>, rules: LayoutRules): Outcome {
  const faultsOf = (one: Layout) => (rules.trustsLayouts === true ? [] : checkLayout(one))
  const faults = faultsOf(layout)
  if (faults.length > 0) return refuse('invalid_layout', faults)
  if (expected !== undefined) {
    // The same again, after a lost answer.
    if (isArrangedAs(current, layout)) return { layout: current }
    if (faultsOf(expected).length > 0 || !isArrangedAs(current, expected)) return refuse('layout_changed')
  }
  const panels = tabs(layout).map(({ panel }) => panel)
  const repeated = panels.filter((panel, at) => panels.indexOf(panel) < at)
  return repeated.some((panel) => rules.isSingleton(panel)) ? refuse('singleton_exists') : { layout }
}

function withLeaf(layout: Layout, leaf: Leaf): Outcome {
  return { layout: { root: rebuild(layout.root, leaf.id, () => leaf) ?? leaf } }
}
