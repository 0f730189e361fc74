import { Problem } from '@patchbay/contracts/core'
import { deleteTrashedWorkspace, getTrash, postRestoreWorkspace } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { requireAny } from '../access/admission.store.ts'
import type { Asking, PanelsDeps } from '../deps.ts'
import { deleteTrashed, listTrashed, restoreWorkspace } from './trash.store.ts'
import { readWorkspaceCursor, workspaceCursor } from './workspace-list.ts'

export function registerTrash(app: HttpApp, deps: PanelsDeps): void {
  const { db, clock, access } = deps

  /** Whoever may make and delete any workspace of the owner: who could see only one of them learns nothing of the others. */
  const admitToTrash = async (request: Asking, owner: string, isChange: boolean) => {
    const caller = await (isChange ? access.requireChange(request) : access.requirePrincipal(request))
    await requireAny(deps, caller, { owner, repo: '*' }, { areas: ['workspace'], access: 'write' })
  }

  app.route({
    ...on(getTrash),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner } = request.params
      await admitToTrash(request, owner, false)
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readWorkspaceCursor(cursor)
      const { items, nextAfter } = await listTrashed(db, owner, { after, limit, now: clock.now() })
      return { items: [...items], nextCursor: nextAfter === undefined ? null : workspaceCursor(nextAfter) }
    },
  })

  app.route({
    ...on(postRestoreWorkspace),
    async handler(request) {
      const { owner, id } = request.params
      await admitToTrash(request, owner, true)
      return await restoreWorkspace(db, owner, { id, repo: request.body.repo, now: clock.now() })
    },
  })

  app.route({
    ...on(deleteTrashedWorkspace),
    async handler(request, reply) {
      const { owner, id } = request.params
      await admitToTrash(request, owner, true)
      if (!(await deleteTrashed(db, owner, id))) throw new Problem('workspace_not_found')
      return reply.code(204).send()
    },
  })
}
