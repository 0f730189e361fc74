/** What stands above the panels. One at a time: whatever opens next takes the place of the one before. */
export type Overlay =
  /** With the leaf that the panel shall go to; the first one unless given. */
  | { readonly type: 'picker'; readonly leafId?: string }
  | { readonly type: 'rename'; readonly tabId: string }
  /** With what was selected when it was opened. */
  | { readonly type: 'find'; readonly text?: string }
  | { readonly type: 'agents' | 'devices' | 'palette' | 'shortcuts' }
