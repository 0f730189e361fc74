import { Problem } from '@patchbay/contracts/core'
import { getArchive, getManifest } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegistryDeps } from '../deps.ts'
import { mayRead, mayWrite } from '../files/access.routes.ts'
import { archiveFileName } from '../files/addresses.ts'
import { answer, isKnown } from '../files/answer.routes.ts'
import { BoundedCache } from '../files/bounded-cache.ts'
import { hasContent } from '../files/entity-tag.ts'
import { createHandOver } from '../files/proxy-offload.routes.ts'
import { PRIVATE, REMOVABLE, type Representation, represent } from '../files/representation.ts'
import type { StoredBodies } from '../files/stored-bodies.store.ts'
import { refuseQuarantined } from '../packages/quarantine.ts'
import { type ArchiveRow, findArchive, noteDownload } from './archive.store.ts'

const MOST_KNOWN = 10_000
/** It can be deleted or quarantined, by a request to another node. */
const KNOWN_MS = 1_000
/** Most archives are a few of these kilobytes: to open, read and hash a file for each download took most of its time. */
const SMALL_BYTES = 2 * 1024 * 1024

type Headers = Readonly<Record<string, string>>

export interface KnownArchive {
  readonly row: ArchiveRow
  readonly archive: Representation
  readonly readAt: number
}

export interface Archives {
  /** `undefined`: there is none. Whether somebody may read it is for the caller to ask. */
  find(sha256: string): Promise<KnownArchive | undefined>
  /** Notes that somebody else than a publisher gets it, before the first byte leaves: it can no longer be deleted. */
  count(request: FastifyRequest, sha256: string, row: ArchiveRow): Promise<void>
  archive(sha256: string, row: ArchiveRow, headers?: Headers): Representation
  manifest(row: ArchiveRow, headers?: Headers): Representation
}

export function createArchives(deps: RegistryDeps, bodies: StoredBodies): Archives {
  const { db, clock } = deps
  const known = new BoundedCache<KnownArchive>({ maxWeight: MOST_KNOWN, weigh: () => 1 })
  const cacheControlOf = ({ visibility }: ArchiveRow) => (visibility === 'public' ? REMOVABLE : PRIVATE)
  const describe = (sha256: string, row: ArchiveRow, headers: Headers = {}): Representation =>
    represent(
      {
        sha256,
        type: 'application/zip',
        cacheControl: cacheControlOf(row),
        codings: ['identity'],
        headers: {
          'content-disposition': `attachment; filename="${archiveFileName(row)}"`,
          'accept-ranges': 'bytes',
          ...headers,
        },
        parts: {
          size: row.size,
          isSound: () => row.size > SMALL_BYTES && bodies.isSound(sha256),
          open: (range) => bodies.openPart(sha256, range),
        },
      },
      () => (row.size <= SMALL_BYTES ? bodies.loadArchive(sha256) : bodies.open(sha256)),
    )
  const read = async (sha256: string): Promise<KnownArchive | undefined> => {
    const readAt = performance.now()
    const row = await findArchive(db, sha256)
    return row && { row, readAt, archive: describe(sha256, row) }
  }
  return {
    async find(sha256) {
      const found = known.peek(sha256)
      if (found !== undefined && performance.now() - found.readAt > KNOWN_MS) known.drop(sha256)
      return await known.load(sha256, () => read(sha256))
    },
    async count(request, sha256, row) {
      if (row.isDownloaded || request.method === 'HEAD') return
      if (hasContent(request.headers['if-none-match'], sha256)) return
      if (await mayWrite(deps, request, row.owner, row.identifier)) return
      known.drop(sha256)
      if (!(await noteDownload(db, row, clock.now()))) throw new Problem('package_not_found')
    },
    archive: describe,
    manifest: (row, headers = {}) =>
      represent(
        {
          sha256: row.manifestSha256,
          type: 'application/json',
          cacheControl: cacheControlOf(row),
          codings: ['identity'],
          headers,
        },
        () => bodies.load(row.manifestSha256),
      ),
  }
}

/** Large archives are streamed from the object store at the pace of the client. They belong to whoever may read the package. */
export function registerArchives(app: HttpApp, deps: RegistryDeps, archives: Archives): void {
  const find = async (request: FastifyRequest, sha256: string): Promise<KnownArchive> => {
    const found = await archives.find(sha256)
    if (found === undefined) throw new Problem('package_not_found')
    const { visibility, owner, identifier } = found.row
    if (visibility === 'public' || (await mayRead(deps, request, owner, identifier))) return found
    throw new Problem('package_not_found')
  }
  const handOver = createHandOver(deps)
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    { row, archive }: KnownArchive,
  ): FastifyReply | Promise<FastifyReply> => {
    const isHere = row.visibility === 'private' || request.method === 'HEAD'
    if (isHere || isKnown(request, archive, 'identity')) return answer(request, reply, archive)
    return handOver(reply, archive) ?? answer(request, reply, archive)
  }

  app.route({
    ...on(getArchive, { deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      const { sha256, file } = request.params
      const found = await find(request, sha256)
      const { row } = found
      if (row.quarantined_at !== null) throw refuseQuarantined(row.quarantine_reason)
      if (file !== archiveFileName(row)) throw new Problem('package_not_found')
      await archives.count(request, sha256, row)
      return show(request, reply, found)
    },
  })

  app.route({
    ...on(getManifest),
    method: READ,
    async handler(request, reply) {
      const { row } = await find(request, request.params.file.slice(0, -'.json'.length))
      if (row.quarantined_at !== null) throw refuseQuarantined(row.quarantine_reason)
      return answer(request, reply, archives.manifest(row))
    },
  })
}
