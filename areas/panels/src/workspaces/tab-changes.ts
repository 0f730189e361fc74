import { Problem } from '@patchbay/contracts/core'
import type { Edge, Layout, LayoutChange, Place, SplitDirection, Tab } from '@patchbay/contracts/panels'
import { findTab, leaves } from '@patchbay/workspace-layout'

const EDGES: Readonly<Record<SplitDirection, Edge>> = {
  left: 'left',
  right: 'right',
  up: 'top',
  down: 'bottom',
}

/** Ids for a leaf and a split that may have to be made. */
export interface SpareIds {
  readonly newLeafId: string
  readonly newSplitId: string
}

export interface TabToAdd {
  readonly tab: Tab
  readonly panelId?: string | undefined
  readonly activate?: boolean | undefined
}

/** Into the leaf that was named, else the first that there is. */
export function addToLeaf(layout: Layout, { tab, panelId, activate = true }: TabToAdd): LayoutChange[] {
  const leafId = panelId ?? leaves(layout)[0]?.id ?? layout.root.id
  return [{ type: 'addTab', tab, at: { leafId }, activate }]
}

/** Beside the leaf that was named, else at the border. */
export function addBeside(
  { tab, panelId, activate = true }: TabToAdd,
  direction: SplitDirection,
  spare: SpareIds,
): LayoutChange[] {
  return [{ type: 'addTab', tab, at: edgeOf(panelId, direction, spare), activate }]
}

export interface TabPatch {
  readonly isActive?: true
  readonly displayName?: string
  readonly displayIcon?: string
  readonly moveTo?: {
    readonly panelId?: string
    readonly index?: number
    readonly direction?: SplitDirection
  }
}

/** All that a patch asks for, in an order in which nothing undoes what came before. */
export function changesOf(
  layout: Layout,
  tabId: string,
  { isActive, displayName, displayIcon, moveTo }: TabPatch,
  spare: SpareIds,
): LayoutChange[] {
  const found = findTab(layout, tabId)
  const changes: LayoutChange[] = []
  if (moveTo !== undefined)
    changes.push({ type: 'moveTab', tabId, to: placeOf(moveTo, found?.leaf.id ?? layout.root.id, spare) })
  if (displayName !== undefined || displayIcon !== undefined)
    changes.push({
      type: 'retitleTab',
      tabId,
      title: displayName ?? found?.tab.title ?? '',
      ...(displayIcon === undefined ? {} : { icon: displayIcon }),
    })
  if (isActive === true) changes.push({ type: 'activateTab', tabId })
  return changes
}

/** What is said of a patch that asks for several things: the one that shows most. */
export function nameOf({ moveTo, displayName, displayIcon }: TabPatch): string {
  if (moveTo !== undefined) return 'workspace move tab'
  return displayName !== undefined || displayIcon !== undefined
    ? 'workspace rename tab'
    : 'workspace activate tab'
}

export function requireTarget(
  { isActive, displayName, displayIcon, moveTo }: TabPatch,
  state: object | undefined,
): void {
  if (
    state === undefined &&
    isActive === undefined &&
    displayName === undefined &&
    displayIcon === undefined &&
    moveTo === undefined
  )
    throw new Problem('invalid_request', { detail: 'The body says nothing of what shall change.' })
  if (moveTo === undefined) return
  const { panelId, index, direction } = moveTo
  if (panelId === undefined && index === undefined && direction === undefined)
    throw new Problem('invalid_request', { detail: 'body/moveTo names no place.' })
  if (index !== undefined && direction !== undefined)
    throw new Problem('invalid_request', { detail: 'body/moveTo has an index for a leaf of one tab.' })
}

function placeOf(moveTo: NonNullable<TabPatch['moveTo']>, ownLeafId: string, spare: SpareIds): Place {
  const { panelId, index, direction } = moveTo
  if (direction !== undefined) return edgeOf(panelId, direction, spare)
  return { leafId: panelId ?? ownLeafId, ...(index === undefined ? {} : { index }) }
}

function edgeOf(panelId: string | undefined, direction: SplitDirection, spare: SpareIds): Place {
  return { ...(panelId === undefined ? {} : { leafId: panelId }), edge: EDGES[direction], ...spare }
}
