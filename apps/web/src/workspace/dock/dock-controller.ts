import {
  findTab,
  type Layout,
  type LayoutChange,
  type LayoutNode,
  leaves,
  type Split,
} from '@patchbay/workspace-layout'
import type { DockviewApi } from 'dockview-react'
import { afterPainting } from '../after-painting.ts'
import type { BroughtForward, DockPort } from '../dock-port.ts'
import { type Extent, type GridNode, gridOf, skeletonOf } from './grid.ts'
import { decorateSashes } from './sashes.ts'

/** Long enough for a menu or a dialog to close and to give the focus back to where it was. */
const FOCUS_GIVEN_BACK_MS = 100
const STACK_ID = 'stack'

/** The same leaves below each other, for a screen that has no room beside. Only shown, never stored. */
export function stacked(layout: Layout): Layout {
  const all = leaves(layout)
  if (all.length < 2) return layout
  return {
    root: {
      type: 'split',
      id: STACK_ID,
      direction: 'column',
      sizes: all.map(() => 1 / all.length),
      children: all,
    },
  }
}

interface MeasuredSplit {
  readonly splitId: string
  readonly sizes: readonly number[]
}

/** Less than this is rounding to whole pixels and not a person's doing. */
const NOTICEABLE = 0.004

/** The splits whose shares on screen are other ones than in the layout, with what they are now. */
export function changedSizes(node: LayoutNode, measured: GridNode): MeasuredSplit[] {
  if (node.type === 'leaf' || measured.type === 'leaf') return []
  if (node.children.length !== measured.data.length) return []
  const inside = node.children.flatMap((child, at) => {
    const counterpart = measured.data[at]
    return counterpart === undefined ? [] : changedSizes(child, counterpart)
  })
  const sizes = measured.data.map(({ size }) => size)
  return isSame(node, sizes) ? inside : [{ splitId: node.id, sizes }, ...inside]
}

function isSame({ sizes }: Split, measured: readonly number[]): boolean {
  const total = measured.reduce((sum, size) => sum + size, 0)
  return (
    total === 0 ||
    measured.some((size) => size <= 0) ||
    measured.every((size, at) => Math.abs(size / total - (sizes[at] ?? 0)) < NOTICEABLE)
  )
}

export interface DockSurroundings {
  readonly getLayout: () => Layout
  readonly mayChange: () => boolean
  readonly change: (change: LayoutChange) => void
  /** The person has turned to a tab. */
  readonly onUse: (tabId: string) => void
}

export interface DockController extends DockPort {
  /** Makes the dock show a layout, with as little as possible done anew. */
  show(layout: Layout, isStacked: boolean): void
  /** The person has moved a border. */
  sendSizes(): void
  dispose(): void
}

/**
 * Keeps the docking library at what the layout says. The library never changes the arrangement by itself: what people
 * do with it becomes a change of the layout, and comes back here.
 */
export function createDockController(
  api: DockviewApi,
  element: HTMLElement,
  { getLayout, mayChange, change, onUse }: DockSurroundings,
): DockController {
  let shown = ''
  let shownSizes = ''
  let presented: Layout = getLayout()
  let before: Layout = presented
  let isStacking = false
  let isSyncing = false
  /** Tabs that show here and are not active in the layout: for a picture, for somebody who may only look, or who follows. */
  const forward = new Map<string, string>()
  /** Of those that show because of somebody who is followed: which tab the layout had active there. */
  const followed = new Map<string, string | null>()

  function sync(work: () => void): void {
    const wasSyncing = isSyncing
    isSyncing = true
    try {
      work()
    } finally {
      isSyncing = wasSyncing
    }
  }

  function withForward(layout: Layout): Layout {
    for (const [leafId, tabId] of forward) {
      const leaf = findTab(layout, tabId)?.leaf
      // Whoever turns the tabs there turns them for this page as well: it must not stay behind for good.
      const isTurned = followed.has(leafId) && leaf?.activeTabId !== followed.get(leafId)
      if (leaf?.id === leafId && !isTurned) continue
      forward.delete(leafId)
      followed.delete(leafId)
    }
    return layout
  }

  function rebuild(): void {
    const focused = focusedTab(element)
    const { width, height } = element.getBoundingClientRect()
    const extent = { width: width || 1000, height: height || 800 }
    // With the panels that are there: their elements stay where they are, and frames inside do not reload.
    api.fromJSON(gridOf(presented, extent) as never, { reuseExistingPanels: true })
    if (focused !== undefined) focusTab(focused)
  }

  function syncSmall(): void {
    for (const leaf of leaves(presented)) {
      for (const { id, title } of leaf.tabs) {
        const panel = api.getPanel(id)
        if (panel !== undefined && panel.title !== title) panel.api.setTitle(title)
      }
      const wanted = forward.get(leaf.id) ?? leaf.activeTabId
      const group = api.getGroup(leaf.id)
      if (wanted === null || group === undefined || group.activePanel?.id === wanted) continue
      const panel = api.getPanel(wanted)
      if (panel !== undefined) withoutFocus(() => panel.api.setActive())
    }
  }

  function syncSizes(): void {
    const { root } = presented
    if (root.type === 'leaf') return
    if (changedSizes(root, measuredGrid(api)).length === 0) return
    if (!resizeTo(api, root, element.getBoundingClientRect())) rebuild()
  }

  function focusTab(tabId: string): void {
    // In place of a tab that has been closed: the one that shows now where it was, or the first that shows at all.
    const leafId = findTab(before, tabId)?.leaf.id
    const all = leaves(presented)
    const candidates = [tabId, all.find(({ id }) => id === leafId)?.activeTabId, all[0]?.activeTabId]
    for (const candidate of candidates) {
      const found = typeof candidate === 'string' ? tabElement(element, candidate) : null
      if (found !== null) return found.focus()
    }
  }

  const groupListeners = api.onDidAddGroup((group) => {
    group.api.onDidActivePanelChange(({ panel }) => {
      if (isSyncing || panel === undefined) return
      const found = findTab(getLayout(), panel.id)
      if (found === undefined) return
      forward.delete(found.leaf.id)
      followed.delete(found.leaf.id)
      if (found.leaf.activeTabId !== panel.id) {
        if (mayChange()) change({ type: 'activateTab', tabId: panel.id })
        else forward.set(found.leaf.id, panel.id)
      }
      onUse(panel.id)
    })
  })

  return {
    element,
    show(layout, isStacked) {
      before = presented
      presented = withForward(isStacked ? stacked(layout) : layout)
      isStacking = isStacked
      const skeleton = skeletonOf(presented)
      const sizes = JSON.stringify(presented.root, ['sizes', 'children'])
      sync(() => {
        if (skeleton !== shown) rebuild()
        syncSmall()
        if (skeleton === shown && sizes !== shownSizes) syncSizes()
      })
      shown = skeleton
      shownSizes = sizes
      decorateSashes(element, isStacked ? undefined : presented.root)
    },
    sendSizes() {
      const { root } = presented
      if (isStacking || root.type === 'leaf' || !mayChange()) return
      for (const { splitId, sizes } of changedSizes(root, measuredGrid(api)))
        change({ type: 'resizeSplit', splitId, sizes })
    },
    async bringForward(tabId): Promise<BroughtForward | undefined> {
      const found = findTab(presented, tabId)
      const group = found === undefined ? undefined : api.getGroup(found.leaf.id)
      if (found === undefined || group === undefined) return undefined
      const wasActivated = group.activePanel?.id !== tabId
      const shownBefore = forward.get(found.leaf.id)
      const select = (to: string | undefined) => {
        if (to === undefined) forward.delete(found.leaf.id)
        else forward.set(found.leaf.id, to)
        sync(syncSmall)
      }
      if (wasActivated) select(tabId)
      // A panel that was never shown stands below all others until the library has put it in place: scrolling to it
      // before that would scroll the whole dock out of sight, and nothing of it could be captured.
      await afterPainting()
      const place = element.querySelector<HTMLElement>(`[data-tab-id="${CSS.escape(tabId)}"]`)
      const top = place?.getBoundingClientRect().top
      place?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      if (place?.getBoundingClientRect().top !== top) await afterPainting()
      const putBack = () => {
        if (wasActivated) select(shownBefore)
      }
      if (place === null) {
        putBack()
        return undefined
      }
      return { element: place, wasActivated, putBack }
    },
    currentTab: () => api.activePanel?.id ?? leaves(presented)[0]?.activeTabId ?? undefined,
    shownBeside(tabId) {
      const leafId = findTab(presented, tabId)?.leaf.id
      return leafId === undefined ? undefined : api.getGroup(leafId)?.activePanel?.id
    },
    follow(tabId) {
      const leaf = findTab(presented, tabId)?.leaf
      const panel = api.getPanel(tabId)
      if (leaf === undefined || panel === undefined) return false
      forward.delete(leaf.id)
      followed.delete(leaf.id)
      if (leaf.activeTabId !== tabId) {
        forward.set(leaf.id, tabId)
        followed.set(leaf.id, leaf.activeTabId)
      }
      sync(() => withoutFocus(() => panel.api.setActive()))
      tabElement(element, tabId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      return true
    },
    showTab(tabId) {
      api.getPanel(tabId)?.api.setActive()
      setTimeout(() => focusTab(tabId), FOCUS_GIVEN_BACK_MS)
    },
    focusTab,
    dispose: () => groupListeners.dispose(),
  }
}

function tabElement(element: HTMLElement, tabId: string): HTMLElement | null {
  return element.querySelector<HTMLElement>(`.dv-tab[data-tab-panel-id="${CSS.escape(tabId)}"]`)
}

function focusedTab(element: HTMLElement): string | undefined {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !element.contains(activeElement)) return undefined
  return activeElement.closest<HTMLElement>('.dv-tab')?.dataset['tabPanelId']
}

/** The library gives the focus to what it activates; it belongs to whoever uses the keyboard. */
function withoutFocus(work: () => void): void {
  const { activeElement } = document
  work()
  if (
    activeElement instanceof HTMLElement &&
    activeElement.isConnected &&
    document.activeElement !== activeElement
  )
    activeElement.focus({ preventScroll: true })
}

/** The grid with the sizes that it has on the screen. */
function measuredGrid(api: DockviewApi): GridNode {
  return api.toJSON().grid.root as GridNode
}

/** Brings borders to where the layout has them; false where the library offers no way to do it in place. */
function resizeTo(api: DockviewApi, root: Split, extent: Extent): boolean {
  resizeSplit(api, root, extent)
  return changedSizes(root, measuredGrid(api)).length === 0
}

function resizeSplit(api: DockviewApi, split: Split, extent: Extent): void {
  const side = split.direction === 'row' ? 'width' : 'height'
  for (const [at, child] of split.children.entries()) {
    const size = (split.sizes[at] ?? 0) * extent[side]
    const leaf = leafToPull(child)
    // The last one has what the others leave.
    if (at < split.children.length - 1 && leaf !== undefined)
      api.getGroup(leaf)?.api.setSize({ [side]: size })
    if (child.type === 'split') resizeSplit(api, child, { ...extent, [side]: size })
  }
}

/** A group can be given a size within its own split and within the one around that. */
function leafToPull(child: LayoutNode): string | undefined {
  if (child.type === 'leaf') return child.id
  return child.children.find((inner) => inner.type === 'leaf')?.id ?? leaves({ root: child })[0]?.id
}
