import type { CurrentTab, CurrentWorkspace } from '@patchbay/contracts/panels'

/** What is known of a tab. What is left out does not matter. */
export interface WantedTab {
  readonly tabId?: string
  /** The leaf that holds it; with nothing else, its tab that shows. */
  readonly panelId?: string
  /** As it reads, in any case. */
  readonly title?: string
  readonly kind?: string
}

/** All that fit, in the order of the layout. */
export function findTabs({ tabs }: Pick<CurrentWorkspace, 'tabs'>, wanted: WantedTab): CurrentTab[] {
  const { tabId, panelId, title, kind } = wanted
  const isOnlyPanel = tabId === undefined && title === undefined && kind === undefined
  return tabs.filter(
    (tab) =>
      (tabId === undefined || tab.tabId === tabId) &&
      (panelId === undefined || (tab.panelId === panelId && (!isOnlyPanel || tab.isActive))) &&
      (title === undefined || fold(tab.displayName) === fold(title)) &&
      (kind === undefined || tab.kind === kind),
  )
}

/** The one that fits. Of several, `undefined`: which one was meant is not for us to guess. */
export function findTab(current: Pick<CurrentWorkspace, 'tabs'>, wanted: WantedTab): CurrentTab | undefined {
  const found = findTabs(current, wanted)
  return found.length === 1 ? found[0] : undefined
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
