/** How much a layout may hold. More is refused, never cut off. */
export const LAYOUT_LIMITS = {
  leaves: 64,
  /** In all leaves together. */
  tabs: 256,
  /** Nodes on the way from the root to a leaf, both counted. */
  depth: 12,
  titleLength: 100,
  iconLength: 40,
} as const
