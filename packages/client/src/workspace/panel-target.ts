/** Which panel: the id of its leaf, or a tab of `current()`, which is then refused unless it is the one that shows. */
export type PanelTarget = string | { readonly panelId: string; readonly tabId?: string }

/** Shown to the person who watches. */
export interface Reason {
  readonly reason?: string | undefined
}

export function targetOf(target: PanelTarget): { readonly panelId: string; readonly tabId?: string } {
  if (typeof target === 'string') return { panelId: target }
  const { panelId, tabId } = target
  return tabId === undefined ? { panelId } : { panelId, tabId }
}

export function reasonOf({ reason }: Reason = {}): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}
