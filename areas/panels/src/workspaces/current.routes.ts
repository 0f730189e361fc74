import { Problem } from '@patchbay/contracts/core'
import { PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import { getCurrentWorkspace, putCurrentWorkspace, type WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { checkLayout, tabs } from '@patchbay/workspace-layout'
import { admit } from '../access/admission.store.ts'
import { isAllowed } from '../access/rights.store.ts'
import { findCatalogPanels, rulesFor } from '../catalog/catalog.store.ts'
import type { Control } from '../control.ts'
import type { Caller, PanelArea, PanelsDeps } from '../deps.ts'
import type { Change } from './changing.routes.ts'
import { presentCurrent } from './current.ts'
import { listPanelStates } from './panel-state.store.ts'
import { problemOf } from './refusals.ts'

export function registerCurrent(app: HttpApp, deps: PanelsDeps, control: Control, change: Change): void {
  const { db } = deps

  app.route({
    ...on(getCurrentWorkspace),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = { owner: request.params.owner, repo: request.params.repo }
      const { caller, workspace } = await admit(deps, request, at, {
        areas: PANEL_SCOPE_AREAS,
        access: 'read',
      })
      const [areas, panels, states, browsers] = await Promise.all([
        readableAreas(deps, caller, at),
        findCatalogPanels(
          db,
          tabs(workspace.layout).map(({ panel }) => panel),
        ),
        listPanelStates(db, at),
        control.browsers(at),
      ])
      return presentCurrent(workspace, panels, states, areas, browsers)
    },
  })

  app.route({
    ...on(putCurrentWorkspace),
    async handler(request) {
      const admitted = await admit(deps, request, request.params, { areas: ['workspace'], access: 'write' })
      const { version: expectedVersion, layout } = request.body
      const faults = checkLayout(layout)
      if (faults.length > 0)
        throw problemOf({ code: 'invalid_layout', message: 'The new layout breaks the rules', faults })
      const changes = [{ type: 'replace', layout }] as const
      const { unknown, planned, ...rules } = await rulesFor(db, admitted.workspace.layout, changes)
      if (unknown.length > 0)
        throw new Problem('panel_type_not_found', { detail: `The catalog lacks ${unknown.join(', ')}.` })
      if (planned.length > 0)
        throw new Problem('panel_type_planned', { detail: `These are coming: ${planned.join(', ')}.` })
      const doing = { name: 'workspace import', tabId: null }
      const { version } = await change(admitted, changes, doing, { rules, expectedVersion })
      return { version }
    },
  })
}

async function readableAreas(
  deps: PanelsDeps,
  caller: Caller,
  ref: WorkspaceRef,
): Promise<ReadonlySet<PanelArea>> {
  const allowed = await Promise.all(
    PANEL_SCOPE_AREAS.map((area) => isAllowed(deps, caller, area, ref, 'read')),
  )
  return new Set(PANEL_SCOPE_AREAS.filter((_, at) => allowed[at]))
}
