import type { Layout } from '@patchbay/contracts/panels'

export type { Direction, Layout, LayoutNode, Leaf, Split, Tab } from '@patchbay/contracts/panels'

/** What the layout itself cannot know. */
export interface LayoutRules {
  /** Whether at most one tab of a workspace may show this panel. */
  readonly isSingleton: (panel: string) => boolean
}

/** A workspace without tabs. */
export function emptyLayout(leafId: string): Layout {
  return { root: { type: 'leaf', id: leafId, tabs: [], activeTabId: null } }
}
