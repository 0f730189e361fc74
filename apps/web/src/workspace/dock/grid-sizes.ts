import type { DockviewApi } from 'dockview-react'
import { leaves, type LayoutNode, type Split } from '@patchbay/workspace-layout'
import type { Extent, GridNode } from './grid.ts'
import { changedSizes } from './measured-sizes.ts'

/** The grid with the sizes that it has on the screen. */
export function measuredGrid(api: DockviewApi): GridNode {
  return api.toJSON().grid.root as GridNode
}

/** Brings borders to where the layout has them; false where the library offers no way to do it in place. */
export function resizeTo(api: DockviewApi, root: Split, extent: Extent): boolean {
  resizeSplit(api, root, extent)
  return changedSizes(root, measuredGrid(api)).length === 0
}

function resizeSplit(api: DockviewApi, split: Split, extent: Extent): void {
  const side = split.direction === 'row' ? 'width' : 'height'
  for (const [at, child] of split.children.entries()) {
    const size = (split.sizes[at] ?? 0) * extent[side]
    const leaf = leafToPull(child)
    // The last one has what the others leave.
    if (at < split.children.length - 1 && leaf !== undefined)
      api.getGroup(leaf)?.api.setSize({ [side]: size })
    if (child.type === 'split') resizeSplit(api, child, { ...extent, [side]: size })
  }
}

/** A group can be given a size within its own split and within the one around that. */
function leafToPull(child: LayoutNode): string | undefined {
  if (child.type === 'leaf') return child.id
  return child.children.find((inner) => inner.type === 'leaf')?.id ?? leaves({ root: child })[0]?.id
}
