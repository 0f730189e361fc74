import { getWorkspaceAccess, putWorkspaceAccess } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { listActors, setEnded } from './actors.store.ts'
import { admitPerson } from './admission.store.ts'

export function registerAccess(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const { db, clock } = deps

  app.route({
    ...on(getWorkspaceAccess),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { workspace } = await admitPerson(deps, request, request.params, false)
      return { items: await listActors(db, workspace) }
    },
  })

  app.route({
    ...on(putWorkspaceAccess),
    async handler(request, reply) {
      const { owner, repo, credentialId } = request.params
      const { caller } = await admitPerson(deps, request, { owner, repo }, true)
      const wanted = { credentialId: credentialId.toLowerCase(), isEnded: request.body.isEnded }
      if (await setEnded(db, { owner, repo }, wanted, caller, clock.now())) control.notify({ owner, repo })
      return reply.code(204).send()
    },
  })
}
