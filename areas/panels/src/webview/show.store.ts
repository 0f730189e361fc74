import { type PanelStateOf, Problem, type WebviewAction, type WorkspaceRef } from '@patchbay/contracts'
import { findAdmitted } from '../access/admission.store.ts'
import type { Caller, PanelsDeps } from '../deps.ts'
import type { LayoutMark } from '../shown-state.ts'
import { setShown } from '../shown-state.store.ts'
import { findTarget } from '../target.ts'
import type { KnownTargets } from './known-targets.ts'
import { changeFor, noteFor } from './webview-change.ts'

/** Stores what an action of a caller who may act has a web view show. */
export async function show(
  deps: PanelsDeps,
  targets: KnownTargets,
  caller: Caller,
  at: WorkspaceRef,
  body: WebviewAction,
): Promise<PanelStateOf> {
  const change = changeFor(body)
  const set = (tabId: string, mark?: LayoutMark) => {
    const action = { caller, tabId, action: noteFor(body), reason: body.reason }
    return setShown(deps.db, at, { tabId, ...change }, deps.clock.now(), action, mark)
  }
  const known = targets.find(at, body)
  const shown = known && (await set(known.tabId, known))
  if (shown !== undefined) return shown
  targets.forget(at, body)
  const workspace = await findAdmitted(deps, caller, at)
  if (workspace === undefined) throw new Problem('workspace_not_found')
  const { id: tabId } = findTarget(workspace.layout, body, 'webview')
  const shownAnew = await set(tabId)
  if (shownAnew === undefined) throw new Problem('panel_not_found')
  targets.keep(at, body, { tabId, madeAt: workspace.createdAt, version: workspace.version })
  return shownAnew
}
