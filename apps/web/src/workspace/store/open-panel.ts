import type { CatalogPanel } from '@patchbay/contracts/panels'
import {
  findTab,
  LAYOUT_LIMITS,
  type Layout,
  type LayoutChange,
  leaves,
  type Tab,
} from '@patchbay/workspace-layout'
import type { PanelHost, PanelState } from '../panel-definition.ts'
import type { Snapshot } from './snapshot.ts'
import type { WorkspaceStore } from './workspace-store.ts'

interface PanelOpenerDeps {
  readonly store: WorkspaceStore
  readonly panels: () => Iterable<CatalogPanel>
  readonly newId: () => string
  readonly showTab: (tabId: string) => void
  readonly refuse: (message: string) => void
}

/** Opens panels beside the one that asks, which stays in view; without one, in the first leaf. */
export function createPanelOpener(deps: PanelOpenerDeps): PanelHost['openPanel'] {
  const { store, newId, showTab, refuse } = deps
  return (fromTabId, kind, given) => {
    const stateFor = typeof given === 'function' ? given : () => given
    const snapshot = store.getSnapshot()
    const panel = [...deps.panels()].find((one) => one.kind === kind && one.availability === 'ready')
    if (panel === undefined) return false
    const there = bestOf(snapshot, panel.id, stateFor)
    if (there !== undefined) {
      if (!shows(snapshot, there, stateFor)) {
        if (!snapshot.mayChange) return false
        store.setState(there.id, stateFor(shownIn(snapshot, there)) ?? {})
      }
      showTab(there.id)
      return true
    }
    if (!snapshot.mayChange) return false
    const tab = {
      id: newId(),
      panel: panel.id,
      title: panel.name.slice(0, LAYOUT_LIMITS.titleLength),
      icon: panel.icon,
    }
    const refused = store.change(besides(snapshot.layout, fromTabId, tab, newId), stateFor({}) ?? {})
    if (refused !== undefined) refuse(refused)
    else showTab(tab.id)
    return refused === undefined
  }
}

type PanelPatcherDeps = Pick<PanelOpenerDeps, 'store' | 'panels'>

/** Tells open panels what another one shows. */
export function createPanelPatcher({ store, panels }: PanelPatcherDeps): PanelHost['patchPanels'] {
  return (fromTabId, kinds, stateFor) => {
    const snapshot = store.getSnapshot()
    if (!snapshot.mayChange) return
    const ids = new Set([...panels()].filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id))
    for (const tab of leaves(snapshot.layout).flatMap((leaf) => leaf.tabs)) {
      if (tab.id === fromTabId || !ids.has(tab.panel)) continue
      const patch = stateFor(shownIn(snapshot, tab))
      if (patch !== undefined) store.setState(tab.id, patch)
    }
  }
}

/** Of the tabs that show a panel, one that shows this already, or else the first that may. */
function bestOf(snapshot: Snapshot, panel: string, stateFor: StateFor): Tab | undefined {
  const tabs = leaves(snapshot.layout)
    .flatMap((leaf) => leaf.tabs.filter((tab) => tab.panel === panel))
    .filter((tab) => stateFor(shownIn(snapshot, tab)) !== undefined)
  return tabs.find((tab) => shows(snapshot, tab, stateFor)) ?? tabs[0]
}

type StateFor = (shown: PanelState) => PanelState | undefined

const shownIn = ({ states }: Snapshot, { id }: Tab): PanelState => states.get(id)?.state ?? {}

function shows(snapshot: Snapshot, tab: Tab, stateFor: StateFor): boolean {
  const shown = shownIn(snapshot, tab)
  return Object.entries(stateFor(shown) ?? {}).every(([key, value]) => isSame(shown[key], value))
}

const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** In another leaf if there is one, and otherwise to the right. */
function besides(layout: Layout, fromTabId: string | undefined, tab: Tab, newId: () => string): LayoutChange {
  const own = fromTabId === undefined ? undefined : findTab(layout, fromTabId)?.leaf
  const other = leaves(layout).find(({ id }) => id !== own?.id)
  if (other !== undefined) return { type: 'addTab', tab, at: { leafId: other.id } }
  return {
    type: 'addTab',
    tab,
    at: {
      edge: 'right',
      newLeafId: newId(),
      newSplitId: newId(),
      ...(own !== undefined && { leafId: own.id }),
    },
  }
}
