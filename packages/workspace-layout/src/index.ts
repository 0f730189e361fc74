export { applyChange } from './apply.ts'
export type { Edge, EdgePlace, LayoutChange, LeafPlace, Place } from './change.ts'
export { layoutChangeSchema, placeSchema } from './change-schema.ts'
export { checkLayout } from './check.ts'
export type { LayoutFault } from './fault.ts'
export { findLeaf, findTab, leaves, tabs } from './find.ts'
export { type FormerPlace, placeAgain, placeOfTab } from './former-place.ts'
export {
  type Direction,
  emptyLayout,
  type Layout,
  type LayoutNode,
  type LayoutRules,
  type Leaf,
  type Split,
  type Tab,
} from './layout.ts'
export { LAYOUT_LIMITS } from './limits.ts'
export { type Rebased, rebase } from './rebase.ts'
export { type Outcome, REFUSALS, type Refusal, type RefusalCode } from './refusal.ts'
export { isArrangedAs, retrace, type Step } from './retrace.ts'
export { layoutSchema, tabSchema } from './schemas.ts'
