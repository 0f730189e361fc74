import {
  type Layout,
  type LayoutChange,
  type LayoutNode,
  leaves,
  type Split,
} from '@patchbay/workspace-layout'

const STEP = 0.05
const LEAST = 0.05

/** The split that a leaf shares in a direction, and which child the leaf is in: the nearest one above it. */
function splitAround(
  layout: Layout,
  leafId: string,
  direction: Split['direction'],
): { readonly split: Split; readonly at: number } | undefined {
  const find = (node: LayoutNode): { split: Split; at: number } | undefined => {
    if (node.type === 'leaf') return undefined
    const at = node.children.findIndex((child) => leaves({ root: child }).some(({ id }) => id === leafId))
    const child = node.children[at]
    if (child === undefined) return undefined
    return find(child) ?? (node.direction === direction ? { split: node, at } : undefined)
  }
  return find(layout.root)
}

/** Moves the border behind a child of a split. Nothing where one side would vanish. */
export function moveBorder(split: Split, at: number, by: number): LayoutChange | undefined {
  const [one, other] = [split.sizes[at], split.sizes[at + 1]]
  if (one === undefined || other === undefined) return undefined
  const moved = Math.max(LEAST - one, Math.min(other - LEAST, by))
  if (one + other < 2 * LEAST || Math.abs(moved) < 0.0001) return undefined
  const sizes = split.sizes.with(at, one + moved).with(at + 1, other - moved)
  return { type: 'resizeSplit', splitId: split.id, sizes }
}

/** Makes a leaf larger or smaller, at the border behind it or, at the end, at the one before. */
export function resizeLeaf(
  layout: Layout,
  leafId: string,
  direction: Split['direction'],
  sign: 1 | -1,
): LayoutChange | undefined {
  const around = splitAround(layout, leafId, direction)
  if (around === undefined) return undefined
  const { split, at } = around
  const isLast = at === split.children.length - 1
  return isLast ? moveBorder(split, at - 1, -sign * STEP) : moveBorder(split, at, sign * STEP)
}
