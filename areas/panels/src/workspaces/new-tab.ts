import { Problem } from '@patchbay/contracts/core'
import type { AddedTab, CatalogPanel } from '@patchbay/contracts/panels'
import { findTab, type LayoutRules } from '@patchbay/workspace-layout'
import type { PanelState } from '../tables.ts'
import { checkPanelState } from './panel-state.ts'
import type { Made } from './refusals.ts'
import type { TabToAdd } from './tab-changes.ts'

/** What a caller says of a tab that shall be added. */
export interface WantedTab {
  readonly panelType: string
  readonly tabId?: string
  readonly panelId?: string
  readonly displayName?: string
  readonly displayIcon?: string
  readonly activate?: boolean
  readonly initialState?: PanelState
}

export function tabToAdd(wanted: WantedTab, panel: CatalogPanel, spareId: string): TabToAdd {
  const { tabId, panelId, displayName, displayIcon, activate } = wanted
  const tab = {
    id: tabId ?? spareId,
    panel: panel.id,
    title: displayName ?? panel.name,
    ...(displayIcon === undefined ? {} : { icon: displayIcon }),
  }
  return { tab, panelId, activate }
}

/** Only one panel comes in, so only that one can be there too often. */
export function rulesOf({ id, singleton }: CatalogPanel): LayoutRules {
  return { isSingleton: (panel) => singleton && panel === id }
}

export function requireState(
  { kind }: CatalogPanel,
  { initialState }: WantedTab,
): { readonly initialState?: PanelState } {
  if (initialState === undefined) return {}
  const fault = checkPanelState(kind, initialState)
  if (fault !== undefined) throw new Problem('invalid_request', { detail: `body/initialState: ${fault}` })
  return { initialState }
}

/** Wherever it is by now: a call that is repeated may find it moved. */
export function presentAdded(
  { layout, version }: Pick<Made, 'layout' | 'version'>,
  { tab }: Pick<TabToAdd, 'tab'>,
): AddedTab {
  const panelId = findTab(layout, tab.id)?.leaf.id
  if (panelId === undefined) throw new Error('a tab that was added is not there')
  return { tabId: tab.id, panelId, version }
}
