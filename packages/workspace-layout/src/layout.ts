/** What a workspace shows: a tree of splits with leaves at its ends. Values are never changed, only replaced. */
export interface Layout {
  readonly root: LayoutNode
}

export type LayoutNode = Split | Leaf

export type Direction = 'row' | 'column'

/** Divides its place among two or more nodes: side by side in a row, below each other in a column. */
export interface Split {
  readonly type: 'split'
  readonly id: string
  /** Never that of the split around it: the two would be one. */
  readonly direction: Direction
  /** The share of each child. Fractions in steps of 0.0001 that sum to 1. */
  readonly sizes: readonly number[]
  readonly children: readonly LayoutNode[]
}

/** Holds tabs, of which one shows. Its id is the `panelId` of panel control. */
export interface Leaf {
  readonly type: 'leaf'
  readonly id: string
  readonly tabs: readonly Tab[]
  /** `null` without tabs, which only the root may be. */
  readonly activeTabId: string | null
}

export interface Tab {
  readonly id: string
  /** In catalogue form, `<owner>/<panel_uuid>`. */
  readonly panel: string
  readonly title: string
  readonly icon?: string
}

/** What the layout itself cannot know. */
export interface LayoutRules {
  /** Whether at most one tab of a workspace may show this panel. */
  readonly isSingleton: (panel: string) => boolean
}

/** A workspace without tabs. */
export function emptyLayout(leafId: string): Layout {
  return { root: { type: 'leaf', id: leafId, tabs: [], activeTabId: null } }
}
