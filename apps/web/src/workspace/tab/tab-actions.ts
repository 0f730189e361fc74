import { findTab, type Layout, type LayoutChange, leaves } from '@patchbay/workspace-layout'
import { words } from '../words.tsx'
import { changeOfDrop } from './place-of-drop.ts'
import { resizeLeaf } from './resize-step.ts'

export interface TabAction {
  readonly id: string
  readonly label: string
  /** Those of one group stand together. */
  readonly group: 'order' | 'split' | 'place' | 'size'
  readonly change: LayoutChange
}

/** Everything that can be done with a tab without dragging it. What would change nothing is left out. */
export function tabActions(layout: Layout, tabId: string, newId: () => string): TabAction[] {
  const found = findTab(layout, tabId)
  if (found === undefined) return []
  const { leaf } = found
  const index = leaf.tabs.findIndex(({ id }) => id === tabId)
  const entries: (TabAction | undefined)[] = [
    index > 0 ? within('before', words.tab.moveLeft, index - 1) : undefined,
    index < leaf.tabs.length - 1 ? within('after', words.tab.moveRight, index + 1) : undefined,
    split('left', words.tab.splitLeft),
    split('right', words.tab.splitRight),
    split('top', words.tab.splitUp),
    split('bottom', words.tab.splitDown),
    ...leaves(layout)
      .filter(({ id }) => id !== leaf.id)
      .map((other) =>
        to(other.id, other.tabs.find(({ id }) => id === other.activeTabId)?.title ?? words.tab.anotherPlace),
      ),
    size('wider', words.tab.wider, 'row', 1),
    size('narrower', words.tab.narrower, 'row', -1),
    size('taller', words.tab.taller, 'column', 1),
    size('shorter', words.tab.shorter, 'column', -1),
  ]
  return entries.filter((entry) => entry !== undefined)

  function within(id: string, label: string, at: number): TabAction {
    return {
      id,
      label,
      group: 'order',
      change: { type: 'moveTab', tabId, to: { leafId: leaf.id, index: at } },
    }
  }
  function split(edge: 'left' | 'right' | 'top' | 'bottom', label: string): TabAction | undefined {
    const change = changeOfDrop(layout, { tabId, leafId: leaf.id, position: edge }, newId)
    return change === undefined ? undefined : { id: edge, label, group: 'split', change }
  }
  function to(leafId: string, title: string): TabAction {
    return {
      id: `to ${leafId}`,
      label: words.tab.moveTo(title),
      group: 'place',
      change: { type: 'moveTab', tabId, to: { leafId } },
    }
  }
  function size(id: string, label: string, direction: 'row' | 'column', sign: 1 | -1): TabAction | undefined {
    const change = resizeLeaf(layout, leaf.id, direction, sign)
    return change === undefined ? undefined : { id, label, group: 'size', change }
  }
}
