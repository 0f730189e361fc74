import { postSplit, postTab } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { admit } from '../access/admission.store.ts'
import { findPanelType } from '../catalog/catalog.store.ts'
import { requireReady } from '../catalog/catalog.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { Change } from './changing.routes.ts'
import { presentAdded, requireState, rulesOf, tabToAdd, type WantedTab } from './new-tab.ts'
import { addBeside, addToLeaf } from './tab-changes.ts'

const WRITE = { areas: ['workspace'], access: 'write' } as const

export function registerNewTabs(app: HttpApp, deps: PanelsDeps, change: Change): void {
  const { db, createSecret } = deps

  const prepare = async (wanted: WantedTab) => {
    const panel = requireReady(await findPanelType(db, wanted.panelType))
    const options = { rules: rulesOf(panel), ...requireState(panel, wanted) }
    return { adding: tabToAdd(wanted, panel, newId(createSecret)), options }
  }

  app.route({
    ...on(postTab),
    async handler(request, reply) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { adding, options } = await prepare(request.body)
      const doing = { name: 'workspace add tab', tabId: adding.tab.id, reason: request.body.reason }
      const made = await change(admitted, (layout) => addToLeaf(layout, adding), doing, options)
      return reply.code(201).send(presentAdded(made, adding))
    },
  })

  app.route({
    ...on(postSplit),
    async handler(request, reply) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { adding, options } = await prepare(request.body)
      const spare = { newLeafId: newId(createSecret), newSplitId: newId(createSecret) }
      const changes = addBeside(adding, request.body.direction, spare)
      const doing = { name: 'workspace split', tabId: adding.tab.id, reason: request.body.reason }
      const made = await change(admitted, changes, doing, options)
      return reply.code(201).send(presentAdded(made, adding))
    },
  })
}
