import { Problem } from '@patchbay/contracts/core'
import { getClosedTabs, postReopenTab } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { findTab, placeAgain } from '@patchbay/workspace-layout'
import { admit } from '../access/admission.store.ts'
import { findCatalogPanels } from '../catalog/catalog.store.ts'
import { requireReady } from '../catalog/catalog.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { Change } from './changing.routes.ts'
import { findClosedTab, listClosedTabs } from './closed-tab.store.ts'
import { presentClosed } from './current.ts'
import { presentAdded, rulesOf } from './new-tab.ts'
import { findWorkspace } from './workspace.store.ts'

export function registerClosedTabs(app: HttpApp, deps: PanelsDeps, change: Change): void {
  const { db, clock, createSecret } = deps

  app.route({
    ...on(getClosedTabs),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await admit(deps, request, at, { areas: ['workspace'], access: 'read' })
      const closed = await listClosedTabs(db, at, clock.now())
      const panels = await findCatalogPanels(
        db,
        closed.map(({ tab }) => tab.panel),
      )
      return { items: closed.map((one) => presentClosed(one, panels)) }
    },
  })

  app.route({
    ...on(postReopenTab),
    async handler(request, reply) {
      const admitted = await admit(deps, request, request.params, { areas: ['workspace'], access: 'write' })
      const { tabId } = request.params
      const { workspace } = admitted
      const closed = await findClosedTab(db, workspace, tabId, clock.now())
      if (closed === undefined) {
        // Read anew: somebody may have reopened it a moment ago.
        const now = await findWorkspace(db, workspace)
        const open = now === undefined ? undefined : findTab(now.layout, tabId)
        if (now !== undefined && open !== undefined) return reply.code(201).send(presentAdded(now, open))
        throw new Problem('panel_not_found', {
          detail: 'No tab with this id was closed in the last 30 days.',
        })
      }
      const { tab, place, state: initialState } = closed
      const panel = requireReady((await findCatalogPanels(db, [tab.panel])).get(tab.panel))
      const spare = { newLeafId: newId(createSecret), newSplitId: newId(createSecret) }
      const made = await change(
        admitted,
        (layout) => [{ type: 'addTab', tab, at: placeAgain(layout, place, spare), activate: true }],
        { name: 'workspace reopen tab', tabId, reason: request.body.reason },
        { rules: rulesOf(panel), ...(initialState === undefined ? {} : { initialState }) },
      )
      return reply.code(201).send(presentAdded(made, { tab }))
    },
  })
}
