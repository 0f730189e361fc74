import { Problem } from '@patchbay/contracts/core'
import { getTrustMetadata } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import { answer } from '../files/answer.routes.ts'
import { BoundedCache } from '../files/bounded-cache.ts'
import { IMMUTABLE, REVALIDATED, type Representation, representText } from '../files/representation.ts'
import { findTrustFile } from './trust.store.ts'

const MOST_BYTES = 32 * 1024 * 1024

interface KeptFile {
  readonly size: number
  readonly representation: Representation
}

export function registerTrust(app: HttpApp, { db, settings }: RegistryDeps): void {
  // Files with a version in their name never change.
  const known = new BoundedCache<KeptFile>({ maxWeight: MOST_BYTES, weigh: ({ size }) => size * 2 })

  const find = async (file: string): Promise<KeptFile | undefined> => {
    const body = await findTrustFile(db, file)
    if (body === undefined) return undefined
    const cacheControl = isVersioned(file) ? IMMUTABLE : REVALIDATED
    const representation = representText(body.toString('utf8'), 'application/json', cacheControl)
    return { size: body.byteLength, representation }
  }

  app.route({
    ...on(getTrustMetadata),
    method: READ,
    async handler(request, reply) {
      const { file } = request.params
      if (settings.trust === undefined) throw new Problem('not_found')
      const found = isVersioned(file) ? await known.load(file, () => find(file)) : await find(file)
      if (found === undefined) throw new Problem('not_found')
      return answer(request, reply, found.representation)
    },
  })
}

function isVersioned(file: string): boolean {
  return /^[0-9]/.test(file)
}
