import { Problem } from '@patchbay/contracts/core'
import { deleteTab, patchSplit, patchTab } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { findTab, type LayoutRules } from '@patchbay/workspace-layout'
import { type Admitted, admit } from '../access/admission.store.ts'
import { findCatalogPanels } from '../catalog/catalog.store.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { PanelState } from '../tables.ts'
import type { Change } from './changing.routes.ts'
import { patchPanelState } from './panel-state.store.ts'
import { checkPanelState } from './panel-state.ts'
import { changesOf, nameOf, requireTarget } from './tab-changes.ts'

const WRITE = { areas: ['workspace'], access: 'write' } as const

/** For changes that bring no panel in: what is there once stays there once. */
const NOTHING_NEW: LayoutRules = { isSingleton: () => false }

/** They are told what to do by actions, with scopes of their own. */
const WITH_ACTIONS: ReadonlySet<string> = new Set(['webview', 'sandbox'])

export function registerLayoutChanges(
  app: HttpApp,
  deps: PanelsDeps,
  control: Control,
  change: Change,
): void {
  const { createSecret, db, clock } = deps

  async function changeState(
    { caller, workspace }: Admitted,
    tabId: string,
    patch: PanelState,
    reason: string | undefined,
  ): Promise<void> {
    const panelId = findTab(workspace.layout, tabId)?.tab.panel
    if (panelId === undefined) throw new Problem('panel_not_found')
    const kind = (await findCatalogPanels(db, [panelId])).get(panelId)?.kind
    if (kind === undefined) throw new Problem('panel_not_found')
    const wrong = WITH_ACTIONS.has(kind)
      ? `A panel of the kind "${kind}" is changed by its actions.`
      : checkPanelState(kind, patch)
    if (wrong !== undefined) throw new Problem('invalid_request', { detail: `body/state: ${wrong}` })
    const action = { caller, tabId, action: 'workspace set panel', reason }
    const at = { owner: workspace.owner, repo: workspace.repo }
    if ((await patchPanelState(db, at, { tabId, patch }, clock.now(), action)) === undefined)
      throw new Problem('panel_not_found')
    control.notify(at)
  }

  app.route({
    ...on(patchTab),
    async handler(request) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { tabId } = request.params
      const { reason, state, ...patch } = request.body
      requireTarget(patch, state)
      if (state !== undefined) await changeState(admitted, tabId, state, reason)
      if (Object.keys(patch).length === 0) return { version: admitted.workspace.version }
      const spare = { newLeafId: newId(createSecret), newSplitId: newId(createSecret) }
      const { version } = await change(
        admitted,
        (layout) => changesOf(layout, tabId, patch, spare),
        { name: nameOf(patch), tabId, reason },
        { rules: NOTHING_NEW },
      )
      return { version }
    },
  })

  app.route({
    ...on(deleteTab),
    async handler(request, reply) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { tabId } = request.params
      const doing = { name: 'workspace remove tab', tabId }
      await change(admitted, [{ type: 'removeTab', tabId }], doing, { rules: NOTHING_NEW })
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(patchSplit),
    async handler(request) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { splitId } = request.params
      const { sizes, reason } = request.body
      const doing = { name: 'workspace resize', tabId: null, reason }
      const { version } = await change(admitted, [{ type: 'resizeSplit', splitId, sizes }], doing, {
        rules: NOTHING_NEW,
      })
      return { version }
    },
  })
}
