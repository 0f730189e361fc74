import { Problem } from '@patchbay/contracts/core'
import { getOwnedPackages, getPackagePage } from '@patchbay/contracts/registry'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Asking, RegistryDeps } from '../deps.ts'
import { requireReadOfAll } from '../permission.ts'
import { ownedCursor, presentOwned, readOwnedCursor } from './owned.ts'
import { findPackage, findVersions, listOwned } from './package.store.ts'
import { presentPackage, type StoredPackage } from './package.ts'
import { refuseQuarantined } from './quarantine.ts'

/** No handle is like this: asking for its packages takes as long as asking for somebody's. */
const NOBODY = '-'

export function registerPackages(app: HttpApp, { db, access, clock, settings }: RegistryDeps): void {
  /** A private package and one that does not exist cost the same questions, so that neither answer nor time tells. */
  const mayRead = async (request: Asking, identifier: string, found: StoredPackage | undefined) => {
    const isQuarantined = found !== undefined && found.quarantined_at !== null
    if (found?.visibility === 'public' && !isQuarantined) return true
    const who = await access.authenticate(request)
    if (who === undefined) return false
    const isAllowed = await access.isAllowed(who, found?.owner ?? NOBODY, identifier, 'read')
    // Whoever releases a package looks at it first.
    return found !== undefined && (isAllowed || (isQuarantined && access.isAdministrator(who)))
  }

  app.route({
    ...on(getPackagePage),
    async handler(request, reply) {
      const { identifier } = request.params
      const found = await findPackage(db, identifier)
      const isReadable = await mayRead(request, identifier, found)
      if (found === undefined) throw new Problem('package_not_found')
      const isOpen = found.visibility === 'public'
      if (!isReadable)
        throw isOpen ? refuseQuarantined(found.quarantine_reason) : new Problem('package_not_found')
      reply.header('cache-control', isOpen && found.quarantined_at === null ? 'no-cache' : 'no-store')
      return presentPackage(settings, found, await findVersions(db, identifier), clock.now())
    },
  })

  app.route({
    ...on(getOwnedPackages),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner } = request.params
      await requireReadOfAll(access, request, owner)
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readOwnedCursor(cursor)
      const rows = await listOwned(db, owner, { after, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return {
        items: page.map(presentOwned),
        next_cursor: last === undefined ? null : ownedCursor(last.identifier),
      }
    },
  })
}
