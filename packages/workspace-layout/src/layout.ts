import type { Layout } from '@patchbay/contracts'

export type { Direction, Layout, LayoutNode, Leaf, Split, Tab } from '@patchbay/contracts'

/** What the layout itself cannot know. */
export interface LayoutRules {
  /** Whether at most one tab of a workspace may show this panel. */
  readonly isSingleton: (panel: string) => boolean
}

/** A workspace without tabs. */
export function emptyLayout(leafId: string): Layout {
  return { root: { type: 'leaf', id: leafId, tabs: [], activeTabId: null } }
}
