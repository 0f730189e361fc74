import type { Edge, Place } from './change.ts'
import { findLeaf, findTab, leaves, nodesUnder } from './find.ts'
import type { Layout, LayoutNode, Leaf, Split } from './layout.ts'

/** Where a tab was, for whoever wants to put it back. */
export interface FormerPlace {
  readonly leafId: string
  readonly index: number
  /** The leaf next to its own and the side of it, where the tab was alone in its leaf and the leaf went with it. */
  readonly beside?: { readonly leafId: string; readonly edge: Edge }
}

export function placeOfTab(layout: Layout, tabId: string): FormerPlace | undefined {
  const found = findTab(layout, tabId)
  if (found === undefined) return undefined
  const { leaf } = found
  const index = leaf.tabs.findIndex(({ id }) => id === tabId)
  const beside = leaf.tabs.length === 1 ? neighborOf(layout, leaf) : undefined
  return { leafId: leaf.id, index, ...(beside === undefined ? {} : { beside }) }
}

/** The nearest to where it was that the layout has now. The ids are for a leaf and a split that may have to be made. */
export function placeAgain(
  layout: Layout,
  { leafId, index, beside }: FormerPlace,
  spare: { readonly newLeafId: string; readonly newSplitId: string },
): Place {
  if (findLeaf(layout, leafId) !== undefined) return { leafId, index }
  if (beside !== undefined && findLeaf(layout, beside.leafId) !== undefined) return { ...beside, ...spare }
  return { leafId: leaves(layout)[0]?.id ?? layout.root.id }
}

function neighborOf(layout: Layout, leaf: Leaf): FormerPlace['beside'] {
  const parent = nodesUnder(layout.root).find(
    (node): node is Split => node.type === 'split' && node.children.includes(leaf),
  )
  if (parent === undefined) return undefined
  const at = parent.children.indexOf(leaf)
  const isRow = parent.direction === 'row'
  const before = parent.children[at - 1]
  if (before !== undefined) return { leafId: leafOf(before, 'last'), edge: isRow ? 'right' : 'bottom' }
  const after = parent.children[at + 1]
  if (after === undefined) return undefined
  return { leafId: leafOf(after, 'first'), edge: isRow ? 'left' : 'top' }
}

function leafOf(node: LayoutNode, end: 'first' | 'last'): string {
  const all = leaves({ root: node })
  return (end === 'first' ? all[0] : all.at(-1))?.id ?? node.id
}
