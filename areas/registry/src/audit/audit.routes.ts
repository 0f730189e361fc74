import { getRegistryAudit } from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import { requireReadOfAll } from '../permission.ts'
import { listAudit } from './audit.store.ts'
import { auditCursor, presentEntry, readAuditCursor } from './audit.ts'

export function registerAudit(app: HttpApp, { db, access }: RegistryDeps): void {
  app.route({
    ...on(getRegistryAudit),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner } = request.params
      await requireReadOfAll(access, request, owner)
      const { cursor, limit = 50 } = request.query
      const before = cursor === undefined ? undefined : readAuditCursor(cursor)
      const { entries, nextBefore } = await listAudit(db, owner, { before, limit })
      return {
        items: entries.map(presentEntry),
        next_cursor: nextBefore === undefined ? null : auditCursor(nextBefore),
      }
    },
  })
}
