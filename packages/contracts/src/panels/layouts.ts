import { Type } from 'typebox'

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
  /** In catalog form, `<owner>/<panel_uuid>`. */
  readonly panel: string
  readonly title: string
  readonly icon?: string
}

/**
 * A change as data. Whoever makes one names the ids of what is new, so that a browser can show the result before the
 * server has it, and both get the same.
 */
export type LayoutChange =
  | { readonly type: 'addTab'; readonly tab: Tab; readonly at: Place; readonly activate?: boolean }
  | { readonly type: 'removeTab'; readonly tabId: string }
  | { readonly type: 'moveTab'; readonly tabId: string; readonly to: Place; readonly activate?: boolean }
  | { readonly type: 'activateTab'; readonly tabId: string }
  | { readonly type: 'retitleTab'; readonly tabId: string; readonly title: string; readonly icon?: string }
  | { readonly type: 'resizeSplit'; readonly splitId: string; readonly sizes: readonly number[] }
  /** With `expected` only of a layout that is arranged like that: nothing that others have done meanwhile is overwritten. */
  | { readonly type: 'replace'; readonly layout: Layout; readonly expected?: Layout }

export type Place = LeafPlace | EdgePlace

/** Among the tabs of a leaf. */
export interface LeafPlace {
  readonly leafId: string
  /** At the end unless given; more than there are tabs is the end as well. */
  readonly index?: number
}

/** In a new leaf at one side of a leaf, or of the whole workspace where no leaf is named. */
export interface EdgePlace {
  readonly leafId?: string
  readonly edge: Edge
  readonly newLeafId: string
  /** Of the split that holds both, where one is needed. */
  readonly newSplitId: string
}

export type Edge = 'left' | 'right' | 'top' | 'bottom'

/**
 * A layout on the wire. What is inside is the business of `@patchbay/workspace-layout`, which says what is wrong better
 * than a schema twelve levels deep, and publishes that schema for whoever wants it.
 */
export const layoutDocument = Type.Unsafe<Layout>(
  Type.Object(
    { root: Type.Object({}, { additionalProperties: true }) },
    {
      additionalProperties: false,
      description:
        'A tree: `{"type":"split",id,direction,sizes,children}` or `{"type":"leaf",id,tabs,activeTabId}`.',
    },
  ),
)

/** A change on the wire; its schema is published by `@patchbay/workspace-layout`. */
export const layoutChangeDocument = Type.Unsafe<LayoutChange>(
  Type.Object({ type: Type.String() }, { additionalProperties: true }),
)
