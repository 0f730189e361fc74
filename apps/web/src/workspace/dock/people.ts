import type { Layout, LayoutChange, LayoutNode, Split } from '@patchbay/workspace-layout'
import type { DockviewApi } from 'dockview-react'
import { type Command, commandsWithKeys } from '../menus/commands.ts'
import { isPressed } from '../menus/shortcut.ts'
import type { TabMenuRequest } from '../menus/tab-menu.tsx'
import { changeOfDrop } from '../tab/place-of-drop.ts'
import { moveBorder } from '../tab/resize-step.ts'
import type { DockController } from './dock-controller.ts'

export interface PeoplePorts {
  readonly controller: DockController
  readonly getLayout: () => Layout
  readonly mayChange: () => boolean
  readonly change: (change: LayoutChange) => void
  readonly openMenu: (request: TabMenuRequest) => void
  /** Runs a command whose keys were pressed on a tab. */
  readonly run: (command: Command, tabId: string) => void
  readonly newId: () => string
}

const STEP = 0.02

/** Turns what people do with the dock into changes of the layout. The dock itself does none of it. */
export function listenToPeople(api: DockviewApi, element: HTMLElement, ports: PeoplePorts): void {
  const { controller, getLayout, mayChange, change, openMenu, run, newId } = ports
  // Whole groups have no change of their own.
  api.onWillDragGroup(({ nativeEvent }) => nativeEvent.preventDefault())
  api.onWillDragPanel(({ nativeEvent }) => {
    if (!mayChange()) nativeEvent.preventDefault()
  })
  api.onWillDrop((event) => {
    event.preventDefault()
    const tabId = event.getData()?.panelId
    if (tabId === undefined || tabId === null) return
    const isOnTabs = event.kind === 'tab' || event.kind === 'header_space'
    const leafId = event.kind === 'edge' ? undefined : event.group?.id
    const drop = {
      tabId,
      leafId,
      position: isOnTabs ? ('center' as const) : event.position,
      ...(isOnTabs &&
        leafId !== undefined && { index: indexAt(element, leafId, tabId, event.nativeEvent.clientX) }),
    }
    const made = changeOfDrop(getLayout(), drop, newId)
    // After the drag has ended: the dock would otherwise tidy up what has just been made anew.
    if (made !== undefined) setTimeout(() => change(made))
  })

  element.addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.dv-sash') === null) return
    addEventListener('pointerup', () => requestAnimationFrame(() => controller.sendSizes()), { once: true })
  })
  element.addEventListener('contextmenu', (event) => {
    const tab = tabOf(event.target)
    if (tab === undefined) return
    event.preventDefault()
    openMenu(tab)
  })
  // Before the dock sees them: it would close a tab by itself.
  element.addEventListener('keydown', onKey, { capture: true })

  function onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLElement && event.target.matches('.dv-sash'))
      return pushBorder(event, event.target)
    const tab =
      event.target instanceof HTMLElement && event.target.matches('.dv-tab') ? tabOf(event.target) : undefined
    if (tab === undefined) return
    const isActive = tab.element.getAttribute('aria-selected') === 'true'
    const wantsMenu =
      event.key === 'ContextMenu' ||
      (event.key === 'F10' && event.shiftKey) ||
      (event.key === 'Enter' && isActive)
    if (wantsMenu) {
      stop(event)
      openMenu(tab)
      return
    }
    // The dock would close the tab by itself, also for those who may only look.
    if (event.key === 'Delete' || event.key === 'Backspace') stop(event)
    const command = commandsWithKeys(mayChange()).find(
      ({ keys, keysIn }) => keysIn === 'tab' && isPressed(keys, event),
    )
    if (command === undefined) return
    stop(event)
    run(command, tab.tabId)
  }

  function pushBorder(event: KeyboardEvent, sash: HTMLElement): void {
    const forward = sash.getAttribute('aria-orientation') === 'vertical' ? 'ArrowRight' : 'ArrowDown'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowUp'
    if ((event.key !== forward && event.key !== back) || !mayChange()) return
    stop(event)
    const split = findSplit(getLayout().root, sash.dataset['splitId'] ?? '')
    const made =
      split === undefined
        ? undefined
        : moveBorder(split, Number(sash.dataset['at']), event.key === forward ? STEP : -STEP)
    if (made !== undefined) change(made)
  }
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function tabOf(target: EventTarget | null): TabMenuRequest | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('.dv-tab') : null
  const tabId = element?.dataset['tabPanelId']
  return element === null || tabId === undefined ? undefined : { tabId, element }
}

/** How many of the other tabs of a leaf stand before a point. */
function indexAt(element: HTMLElement, leafId: string, tabId: string, x: number): number {
  const moved = CSS.escape(tabId)
  const all = Array.from(element.querySelectorAll<HTMLElement>('.dv-groupview')).find((group) =>
    group.querySelector(`[data-leaf-id="${CSS.escape(leafId)}"]`),
  )
  const others = all?.querySelectorAll(`.dv-tab:not([data-tab-panel-id="${moved}"])`) ?? []
  return Array.from(others).filter((tab) => {
    const box = tab.getBoundingClientRect()
    return box.left + box.width / 2 < x
  }).length
}

function findSplit(node: LayoutNode, splitId: string): Split | undefined {
  if (node.type === 'leaf') return undefined
  if (node.id === splitId) return node
  for (const child of node.children) {
    const found = findSplit(child, splitId)
    if (found !== undefined) return found
  }
  return undefined
}
