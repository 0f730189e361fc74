import { Problem } from '@patchbay/contracts/core'
import { getIcon } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import { mayRead } from '../files/access.routes.ts'
import { answer } from '../files/answer.routes.ts'
import { BoundedCache } from '../files/bounded-cache.ts'
import { PRIVATE, REMOVABLE, type Representation, represent } from '../files/representation.ts'
import type { StoredBodies } from '../files/stored-bodies.store.ts'
import { findIcon, type IconRow } from './archive.store.ts'

const MOST_KNOWN = 10_000
/** Its package may be quarantined, by a request to another node. */
const KNOWN_MS = 1_000

export function registerIcons(app: HttpApp, deps: RegistryDeps, bodies: StoredBodies): void {
  const known = new BoundedCache<{ readonly icon: Representation; readonly readAt: number }>({
    maxWeight: MOST_KNOWN,
    weigh: () => 1,
  })

  const show = (sha256: string, cacheControl: string): Representation =>
    represent({ sha256, type: 'image/png', cacheControl, codings: ['identity'] }, () => bodies.load(sha256))
  const mayReadAny = async (request: FastifyRequest, rows: readonly IconRow[]): Promise<boolean> => {
    for (const { owner, identifier } of rows) if (await mayRead(deps, request, owner, identifier)) return true
    return false
  }

  /** Only what a package calls its icon: any other object must not be served as a picture. */
  const find = async (request: FastifyRequest, sha256: string): Promise<Representation> => {
    const readAt = performance.now()
    const rows = await findIcon(deps.db, sha256)
    if (rows[0]?.visibility === 'public') {
      const icon = show(sha256, REMOVABLE)
      known.put(sha256, { icon, readAt })
      return icon
    }
    if (await mayReadAny(request, rows)) return show(sha256, PRIVATE)
    throw new Problem('not_found')
  }

  app.route({
    ...on(getIcon),
    method: READ,
    async handler(request, reply) {
      const sha256 = request.params.file.slice(0, -'.png'.length)
      const hot = known.peek(sha256)
      const isFresh = hot !== undefined && performance.now() - hot.readAt <= KNOWN_MS
      return answer(request, reply, isFresh ? hot.icon : await find(request, sha256))
    },
  })
}
