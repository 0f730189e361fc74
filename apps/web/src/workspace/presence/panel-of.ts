import { findTab, type Layout } from '@patchbay/workspace-layout'
import type { Person } from './people.ts'
import { words } from './words.ts'

/** The panel that somebody looks at, by its title. */
export function panelOf({ tabId, isAway }: Person, layout: Layout): string {
  if (isAway) return words.away
  return (tabId === undefined ? undefined : findTab(layout, tabId)?.tab.title) ?? words.noPanel
}
