import type { Edge, Layout, LayoutChange, Place } from '@patchbay/workspace-layout'
import { findLeaf, findTab } from '@patchbay/workspace-layout'

export interface Drop {
  readonly tabId: string
  /** Without it: at the border of everything. */
  readonly leafId: string | undefined
  readonly position: Edge | 'center'
  /** Among the other tabs of the leaf, where it was dropped on its tabs. */
  readonly index?: number
}

/** What dropping a tab changes; nothing where it would end where it was. */
export function changeOfDrop(layout: Layout, drop: Drop, newId: () => string): LayoutChange | undefined {
  const { tabId, leafId, position, index } = drop
  const found = findTab(layout, tabId)
  if (found === undefined) return undefined
  if (position === 'center') {
    if (leafId === undefined || findLeaf(layout, leafId) === undefined) return undefined
    if (leafId === found.leaf.id && index === undefined) return undefined
    return move(tabId, { leafId, ...(index !== undefined && { index }) })
  }
  const isAlone = found.leaf.tabs.length === 1
  if (isAlone && leafId === found.leaf.id) return undefined
  return move(tabId, {
    edge: position,
    newLeafId: newId(),
    newSplitId: newId(),
    ...(leafId !== undefined && { leafId }),
  })
}

function move(tabId: string, to: Place): LayoutChange {
  return { type: 'moveTab', tabId, to }
}
