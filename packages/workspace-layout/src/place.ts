import type { Edge, EdgePlace } from './change.ts'
import type { Direction, LayoutNode, Leaf, Tab } from './layout.ts'
import { normalizeSizes } from './sizes.ts'
import { rebuild } from './tree.ts'

/** Puts a new leaf with this tab beside a leaf, or at the border of everything. The leaf must be there. */
export function addLeaf(root: LayoutNode, at: EdgePlace, tab: Tab): LayoutNode {
  const leaf: Leaf = { type: 'leaf', id: at.newLeafId, tabs: [tab], activeTabId: tab.id }
  if (at.leafId === undefined) return atBorder(root, at, leaf)
  return rebuild(root, at.leafId, (found) => beside(found, at, leaf)) ?? leaf
}

/** Half of the place of a node. Within a split of this direction, `rebuild` makes siblings of the two. */
function beside(node: LayoutNode, { edge, newSplitId }: EdgePlace, leaf: Leaf): LayoutNode {
  // An empty leaf has nothing to show beside the new one.
  if (node.type === 'leaf' && node.tabs.length === 0) return leaf
  return {
    type: 'split',
    id: newSplitId,
    direction: directionOf(edge),
    sizes: [0.5, 0.5],
    children: comesFirst(edge) ? [leaf, node] : [node, leaf],
  }
}

/** An equal share with what is there: half beside one thing, a quarter beside three. */
function atBorder(root: LayoutNode, at: EdgePlace, leaf: Leaf): LayoutNode {
  if (root.type === 'leaf' || root.direction !== directionOf(at.edge)) return beside(root, at, leaf)
  const share = 1 / root.children.length
  const [children, sizes] = comesFirst(at.edge)
    ? [
        [leaf, ...root.children],
        [share, ...root.sizes],
      ]
    : [
        [...root.children, leaf],
        [...root.sizes, share],
      ]
  return { ...root, children, sizes: normalizeSizes(sizes) }
}

function directionOf(edge: Edge): Direction {
  return edge === 'left' || edge === 'right' ? 'row' : 'column'
}

function comesFirst(edge: Edge): boolean {
  return edge === 'left' || edge === 'top'
}
