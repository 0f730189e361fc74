import type {
  CatalogPanel,
  CurrentTab,
  CurrentWorkspace,
  PanelStateOf,
  ClosedTab as PresentedClosedTab,
} from '@patchbay/contracts/panels'
import { leaves } from '@patchbay/workspace-layout'
import type { Workspace } from '../access/workspace.ts'
import { THIRD_PARTY_KIND } from '../catalog/catalog.ts'
import type { OpenBrowser } from '../control.ts'
import type { PanelArea } from '../deps.ts'
import type { ClosedTab } from './closed-tab.ts'

/** Of a panel that is not in the catalog anymore. */
const LOST_ICON = 'circle-help'

/** Every part of panel control needs the ids of the layout; what panels show is for those who may act on them. */
function maySeeState(areas: ReadonlySet<PanelArea>, kind: string): boolean {
  if (areas.has('workspace')) return true
  return (kind === 'webview' && areas.has('webview')) || (kind === 'sandbox' && areas.has('sandbox'))
}

export function presentClosed(
  { tab, closedAt }: Omit<ClosedTab, 'state'>,
  panels: ReadonlyMap<string, CatalogPanel>,
): PresentedClosedTab {
  const panel = panels.get(tab.panel)
  return {
    tabId: tab.id,
    panelType: tab.panel,
    kind: panel?.kind ?? THIRD_PARTY_KIND,
    displayName: tab.title,
    displayIcon: tab.icon ?? panel?.icon ?? LOST_ICON,
    closedAt: closedAt.toISOString(),
  }
}

export function presentCurrent(
  { owner, repo, version, layout }: Workspace,
  panels: ReadonlyMap<string, CatalogPanel>,
  states: readonly PanelStateOf[],
  areas: ReadonlySet<PanelArea>,
  browsers: readonly OpenBrowser[],
): CurrentWorkspace {
  const shown = new Map(states.map(({ tabId, state }) => [tabId, state]))
  const tabs = leaves(layout).flatMap((leaf) =>
    leaf.tabs.map((tab): CurrentTab => {
      const panel = panels.get(tab.panel)
      const kind = panel?.kind ?? THIRD_PARTY_KIND
      return {
        tabId: tab.id,
        panelId: leaf.id,
        panelType: tab.panel,
        kind,
        displayName: tab.title,
        displayIcon: tab.icon ?? panel?.icon ?? LOST_ICON,
        isActive: tab.id === leaf.activeTabId,
        state: maySeeState(areas, kind) ? (shown.get(tab.id) ?? {}) : {},
      }
    }),
  )
  const [first] = browsers
  const isSharing = first?.mayAct === true && first.isSharing
  return { owner, repo, version, layout, tabs, browsers: browsers.length, isSharing }
}
