import type { LayoutFault } from './fault.ts'
import type { Layout } from './layout.ts'

export const REFUSALS = {
  no_such_leaf: 'The layout does not contain this panel',
  no_such_tab: 'The layout does not contain this tab',
  no_such_split: 'The layout does not contain this split',
  id_taken: 'Something else in the layout has this id',
  singleton_exists: 'The workspace already has this panel, and only one is allowed',
  too_many_tabs: 'The layout has as many tabs as it may',
  too_many_leaves: 'The layout has as many leaves as it may',
  too_deep: 'The layout is split as deeply as it may be',
  sizes_mismatch: 'A split needs one positive size for each of its children',
  layout_changed: 'Someone has changed this meanwhile',
  invalid_layout: 'The new layout breaks the rules of layouts',
} as const

export type RefusalCode = keyof typeof REFUSALS

/** Why a change cannot be made. Nothing has changed. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** With `invalid_layout`: what is wrong with it, and where. */
  readonly faults?: readonly LayoutFault[]
}

export type Outcome =
  | { readonly layout: Layout; readonly refused?: never }
  | { readonly refused: Refusal; readonly layout?: never }

export function refuse(code: RefusalCode, faults?: readonly LayoutFault[]): { readonly refused: Refusal } {
  return { refused: { code, message: REFUSALS[code], ...(faults !== undefined && { faults }) } }
}
