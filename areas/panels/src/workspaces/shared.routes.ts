import { Problem } from '@patchbay/contracts/core'
import { getSharedWorkspaces } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { PanelsDeps } from '../deps.ts'
import { listShared } from './shared.store.ts'
import { presentSummary, readSharedCursor, sharedCursor } from './workspace-list.ts'

/** Workspaces of others. A key is for some workspaces and does not ask for all of them. */
export function registerShared(app: HttpApp, { db, access }: PanelsDeps): void {
  app.route({
    ...on(getSharedWorkspaces),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { personId, credential } = await access.requirePrincipal(request)
      if (credential.kind === 'api_key') throw new Problem('not_permitted')
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readSharedCursor(cursor)
      const { workspaces, nextAfter } = await listShared(db, personId, { after, limit })
      return {
        items: workspaces.map(({ role, invitedBy, ...workspace }) => ({
          ...presentSummary(workspace),
          role,
          invitedBy,
        })),
        nextCursor: nextAfter === undefined ? null : sharedCursor(nextAfter),
      }
    },
  })
}
