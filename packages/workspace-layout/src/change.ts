import type { Layout, Tab } from './layout.ts'

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
  | { readonly type: 'replace'; readonly layout: Layout }

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

export function isEdgePlace(place: Place): place is EdgePlace {
  return 'edge' in place
}
