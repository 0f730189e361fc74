import { Problem } from '@patchbay/contracts/core'
import { postPackage, postPackageImport } from '@patchbay/contracts/registry'
import { type HttpApp, on, uploadOf } from '@patchbay/kernel/http'
import { Semaphore, type SemaphoreRefusal } from '@patchbay/primitives/async'
import type { Asking, RegistryDeps } from '../deps.ts'
import type { Indexer } from '../indexer.ts'
import { receiveArchive, type Submission } from './archive-intake.store.ts'
import { fetchArchive } from './import.io.ts'
import { presentPublication } from './publication.ts'
import { publishVersion } from './publish.store.ts'
import { openSpool } from './spool.io.ts'

/** For a large archive over a slow line. */
const UPLOAD_DEADLINE_MS = 15 * 60_000
const IMPORT_DEADLINE_MS = 5 * 60_000
/** For as long a publisher waits until the feeds carry it: a script that installs what it published finds it there. */
const INDEX_DEADLINE_MS = 10_000
/** Each holds an archive on the disk. Nobody can take all of them. */
const AT_ONCE = { total: 64, perKey: 8 }
const RETRY_AFTER_SECONDS = 5
const MINUTE_MS = 60_000

export function registerPublishing(app: HttpApp, deps: RegistryDeps, indexer: Indexer): void {
  const { db, clock, access, log, settings } = deps
  const publishing = new Semaphore({ ...AT_ONCE, refuse: tooMany })
  app.addHook('onReady', () => openSpool(settings.spoolFolder, clock.now()))

  const publish = async (request: Asking, asked: Omit<Submission, 'who'>) => {
    const { owner } = asked
    const who = await access.requireChange(request)
    // Before the first byte: a stranger must not be able to fill the disk, or have us fetch things.
    if (!(await access.mayPublish(who, owner))) throw new Problem('not_permitted')
    // The next one is told to come back, instead of waiting in a line that nobody sees.
    using _permit = publishing.acquireNow({ key: who.personId })
    const { version, warnings } = await receiveArchive(deps, { ...asked, who })
    // Again: the archive took minutes, and an account that was disabled meanwhile must not publish.
    const publisher = await access.requireChange(request)
    const { identifier } = version.metadata
    if (!(await access.isAllowed(publisher, owner, identifier, 'write'))) throw new Problem('not_permitted')
    const { isNew, visibility } = await publishVersion(db, publisher, version, clock.now())
    const is_indexed = await indexer
      .settle(INDEX_DEADLINE_MS, { owner, visibility })
      .catch((error: unknown) => {
        // It is published, whatever becomes of the feeds; the next sweep builds them.
        log.warn({ err: error }, 'feed rebuild delayed')
        return false
      })
    return { isNew, body: presentPublication(settings, version, { visibility, is_indexed, warnings }) }
  }

  app.route({
    ...on(postPackage, {
      bodyLimit: settings.maxArchiveBytes,
      deadlineMs: UPLOAD_DEADLINE_MS,
      rateLimit: { max: settings.publishesPerMinute, windowMs: MINUTE_MS },
    }),
    async handler(request, reply) {
      const { owner } = request.params
      const { visibility = 'public' } = request.query
      const { isNew, body } = await publish(request, { owner, visibility, content: uploadOf(request) })
      return reply.code(isNew ? 201 : 200).send(body)
    },
  })

  app.route({
    ...on(postPackageImport, {
      deadlineMs: IMPORT_DEADLINE_MS,
      rateLimit: { max: settings.importsPerMinute, windowMs: MINUTE_MS },
    }),
    async handler(request, reply) {
      const { owner } = request.params
      const { url, sha256: expectedSha256, visibility = 'public' } = request.body
      const content = fetchArchive(deps, url)
      const sourceUrl = sourceOf(url)
      const { isNew, body } = await publish(request, {
        owner,
        visibility,
        content,
        sourceUrl,
        expectedSha256,
      })
      return reply.code(isNew ? 201 : 200).send(body)
    },
  })
}

function tooMany(reason: SemaphoreRefusal): Problem {
  const why =
    reason === 'key_full'
      ? 'You are publishing too many archives at once.'
      : 'Too many archives are being published at once.'
  return new Problem('rate_limited', {
    detail: `${why} Try again in a moment.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}

/** Where an archive came from, for the record. Signed addresses carry their secret in the query, so that goes. */
function sourceOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`
}
