import type { Layout } from '@patchbay/contracts/panels'

export type { Direction, Layout, LayoutNode, Leaf, Split, Tab } from '@patchbay/contracts/panels'

/** What the layout itself cannot know. */
export interface LayoutRules {
  /** Whether at most one tab of a workspace may show this panel. */
  readonly isSingleton: (panel: string) => boolean
  /** For pages, which validate by no schema: the layouts in changes are their own, and the server checks them. */
  readonly trustsLayouts?: true
}

/** A workspace without tabs. */
export function emptyLayout(leafId: string): Layout {
  return { root: { type: 'leaf', id: leafId, tabs: [], activeTabId: null } }
}
