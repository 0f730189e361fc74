import { Problem } from '@patchbay/contracts/core'
import type { Layout, ScreenshotMethod, ScreenshotRequest } from '@patchbay/contracts/panels'
import { acceptWeights } from '@patchbay/kernel/http'
import { findLeaf, findTab } from '@patchbay/workspace-layout'
import { activeTabOf, requireKind } from '../panel-action.ts'

export const DEFAULT_METHOD: ScreenshotMethod = 'element-capture'

/** What is to be captured; both are `null` for more than one panel. */
export interface CaptureTarget {
  readonly panelId: string | null
  readonly tabId: string | null
}

export function captureTargetOf(layout: Layout, request: ScreenshotRequest): CaptureTarget {
  const { scope, panelId, tabId, method = DEFAULT_METHOD } = request
  if (scope !== 'panel') {
    if (panelId !== undefined || tabId !== undefined)
      throw invalid('panelId and tabId belong to the scope "panel".')
    if (method !== DEFAULT_METHOD) throw invalid(`The method "${method}" belongs to the scope "panel".`)
    return { panelId: null, tabId: null }
  }
  const { leafId, tab } = findCaptured(layout, panelId, tabId)
  if (method === 'html2canvas') requireKind(tab, 'sandbox')
  return { panelId: leafId, tabId: tab.id }
}

function findCaptured(layout: Layout, panelId: string | undefined, tabId: string | undefined) {
  if (tabId === undefined) {
    if (panelId === undefined) throw invalid('The scope "panel" needs a panelId, a tabId or both.')
    return { leafId: panelId, tab: activeTabOf(layout, panelId) }
  }
  const found = findTab(layout, tabId)
  if (found === undefined || (panelId !== undefined && findLeaf(layout, panelId) === undefined))
    throw new Problem('panel_not_found')
  if (panelId !== undefined && found.leaf.id !== panelId)
    throw new Problem('panel_mismatch', { detail: `The tab is in the leaf ${found.leaf.id}.` })
  return { leafId: found.leaf.id, tab: found.tab }
}

/** Whether an `Accept` asks for the picture rather than for what is known of it. `*` asks for nothing in particular. */
export function wantsPicture(accept: string | undefined): boolean {
  const weights = acceptWeights(accept)
  return (weights.get('image/png') ?? 0) > (weights.get('application/json') ?? 0)
}

function invalid(detail: string): Problem {
  return new Problem('invalid_request', { detail })
}
