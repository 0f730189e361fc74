import type { LayoutNode, Split } from '@patchbay/workspace-layout'
import type { GridNode } from './grid.ts'

export interface MeasuredSplit {
  readonly splitId: string
  readonly sizes: readonly number[]
}

/** Less than this is rounding to whole pixels and not a person's doing. */
const NOTICEABLE = 0.004

/** The splits whose shares on screen are other ones than in the layout, with what they are now. */
export function changedSizes(node: LayoutNode, measured: GridNode): MeasuredSplit[] {
  if (node.type === 'leaf' || measured.type === 'leaf') return []
  if (node.children.length !== measured.data.length) return []
  const inside = node.children.flatMap((child, at) => {
    const counterpart = measured.data[at]
    return counterpart === undefined ? [] : changedSizes(child, counterpart)
  })
  const sizes = measured.data.map(({ size }) => size)
  return isSame(node, sizes) ? inside : [{ splitId: node.id, sizes }, ...inside]
}

function isSame({ sizes }: Split, measured: readonly number[]): boolean {
  const total = measured.reduce((sum, size) => sum + size, 0)
  return (
    total === 0 ||
    measured.some((size) => size <= 0) ||
    measured.every((size, at) => Math.abs(size / total - (sizes[at] ?? 0)) < NOTICEABLE)
  )
}
