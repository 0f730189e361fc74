import type { LayoutNode, Split } from './layout.ts'
import { normalizeSizes } from './sizes.ts'

/**
 * Replaces the node with this id, or takes it out where `change` gives `undefined`. Only the way down to it is built
 * anew, and comes out in normal form: no split with one child, none inside one of its own direction.
 */
export function rebuild(
  node: LayoutNode,
  id: string,
  change: (found: LayoutNode) => LayoutNode | undefined,
): LayoutNode | undefined {
  if (node.id === id) return change(node)
  if (node.type === 'leaf') return node
  for (const [index, child] of node.children.entries()) {
    const next = rebuild(child, id, change)
    if (next !== child) return withChild(node, index, next)
  }
  return node
}

function withChild(split: Split, index: number, child: LayoutNode | undefined): LayoutNode {
  const slots = split.children.flatMap((node, at) => {
    const size = split.sizes[at] ?? 0
    if (at !== index) return [{ node, size }]
    if (child === undefined) return []
    return child.type === 'split' && child.direction === split.direction
      ? child.children.map((inner, place) => ({ node: inner, size: size * (child.sizes[place] ?? 0) }))
      : [{ node: child, size }]
  })
  const [first, second] = slots
  if (first !== undefined && second === undefined) return first.node
  const children = slots.map(({ node }) => node)
  // One for one: the shares are untouched, and whoever compares them by identity sees that.
  if (children.length === split.children.length) return { ...split, children }
  return { ...split, children, sizes: normalizeSizes(slots.map(({ size }) => size)) }
}
