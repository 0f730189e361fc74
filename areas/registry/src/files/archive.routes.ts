import { getArchive, getManifest, Problem } from '@patchbay/contracts'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import { mayRead } from './access.routes.ts'
import { archiveFileName } from './addresses.ts'
import { answer, READ } from './answer.routes.ts'
import { type ArchiveRow, findArchive } from './archive.store.ts'
import { BoundedCache } from './bounded-cache.ts'
import { IMMUTABLE, PRIVATE, represent } from './representation.ts'
import type { StoredBodies } from './stored-bodies.store.ts'

const MOST_KNOWN = 10_000

/** Archives are streamed from the object store at the pace of the client, and belong to whoever may read the package. */
export function registerArchives(app: HttpApp, deps: RegistryDeps, bodies: StoredBodies): void {
  // A package that is public stays so, and a published version keeps its bytes.
  const known = new BoundedCache<ArchiveRow>({ maxWeight: MOST_KNOWN, weigh: () => 1 })

  const find = async (request: FastifyRequest, sha256: string): Promise<ArchiveRow> => {
    const row = await known.load(sha256, () => findArchive(deps.db, sha256))
    if (row === undefined) throw new Problem('package_not_found')
    if (row.visibility === 'public') return row
    if (await mayRead(deps, request, row.owner, row.identifier)) return row
    throw new Problem('package_not_found')
  }
  const cacheControlOf = ({ visibility }: ArchiveRow) => (visibility === 'public' ? IMMUTABLE : PRIVATE)

  app.route({
    ...on(getArchive, { deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      const { sha256, file } = request.params
      const row = await find(request, sha256)
      const name = archiveFileName(row)
      if (file !== name) throw new Problem('package_not_found')
      const headers = { 'content-disposition': `attachment; filename="${name}"`, 'accept-ranges': 'none' }
      const description = { sha256, type: 'application/zip', cacheControl: cacheControlOf(row), headers }
      const archive = represent({ ...description, codings: ['identity'] }, () => bodies.open(sha256))
      return answer(request, reply, archive)
    },
  })

  app.route({
    ...on(getManifest),
    method: READ,
    async handler(request, reply) {
      const row = await find(request, request.params.file.slice(0, -'.json'.length))
      const sha256 = row.manifestSha256
      const description = { sha256, type: 'application/json', cacheControl: cacheControlOf(row) }
      const manifest = represent({ ...description, codings: ['identity'] }, () => bodies.load(sha256))
      return answer(request, reply, manifest)
    },
  })
}
