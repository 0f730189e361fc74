import { deleteTab, patchSplit, patchTab } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { LayoutRules } from '@patchbay/workspace-layout'
import { admit } from '../access/admission.store.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { Change } from './changing.routes.ts'
import { changesOf, nameOf, requireTarget } from './tab-changes.ts'

const WRITE = { areas: ['workspace'], access: 'write' } as const

/** For changes that bring no panel in: what is there once stays there once. */
const NOTHING_NEW: LayoutRules = { isSingleton: () => false }

export function registerLayoutChanges(app: HttpApp, deps: PanelsDeps, change: Change): void {
  const { createSecret } = deps

  app.route({
    ...on(patchTab),
    async handler(request) {
      const admitted = await admit(deps, request, request.params, WRITE)
      const { tabId } = request.params
      const { reason, ...patch } = request.body
      requireTarget(patch)
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
