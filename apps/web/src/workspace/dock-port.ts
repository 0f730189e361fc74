export interface BroughtForward {
  /** What the panel is drawn in. */
  readonly element: HTMLElement
  readonly wasActivated: boolean
  /** Shows the tab again that was shown before. */
  readonly putBack: () => void
}

/** What the workspace asks of the dock, besides to show a layout. */
export interface DockPort {
  /** Everything that is docked. */
  readonly element: HTMLElement
  /** Shows a tab in this page alone and waits until it is painted; undefined for one that is not here. */
  bringForward(tabId: string): Promise<BroughtForward | undefined>
  /** The tab that was used last, of those that show; before any was, the first of them. */
  currentTab(): string | undefined
  /** The tab that shows where this one is; undefined for one that is not here. */
  shownBeside(tabId: string): string | undefined
  /** Shows a tab in this page alone, as somebody else sees it, and leaves the keyboard where it is. False for one that is not here. */
  follow(tabId: string): boolean
  /** Shows a tab and puts the keyboard on it, also from a menu or a dialog that is being closed. */
  showTab(tabId: string): void
  /** Puts the keyboard on a tab. */
  focusTab(tabId: string): void
}
