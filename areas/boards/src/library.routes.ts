import {
  deleteBoardLibrary,
  getBoardLibraries,
  getBoardLibrarySymbols,
  putBoardLibrary,
} from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { type HttpApp, on, READ, sendObject } from '@patchbay/kernel/http'
import { Semaphore } from '@patchbay/primitives/async'
import type { BoardsDeps } from './deps.ts'
import { storeLibrary } from './library.io.ts'
import { findContents, findSymbols, listLibraries, putLibrary, removeLibrary } from './library.store.ts'
import { contentsFault, type LibraryContents } from './library.ts'

/** Hundreds of megabytes may have to be read, unpacked and stored. */
const ADD_MS = 5 * 60_000
const UNPACKED_AT_ONCE = { total: 2, maxWaiting: 10, timeoutMs: 60_000 }
/** The bytes can be collected between being stored and being named, at most once in a sweep. */
const TRIES = 3

/** Nothing in a file of somebody is to run in a browser. */
const INERT = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=31536000, immutable',
}

export function registerLibraries(
  app: HttpApp,
  { db, clock, files, libraries }: Pick<BoardsDeps, 'db' | 'clock' | 'files' | 'libraries'>,
): void {
  const unpacking = new Semaphore({ ...UNPACKED_AT_ONCE, refuse: () => new Problem('too_many_waiting') })

  app.route({
    ...on(getBoardLibraries),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner, repo } = request.params
      await files.admit(request, request.params, 'read')
      return { items: await listLibraries(db, { owner, repo }) }
    },
  })

  app.route({
    ...on(putBoardLibrary, { deadlineMs: ADD_MS }),
    async handler(request, reply) {
      const { owner, repo, identifier } = request.params
      const at = { owner, repo }
      const { version: asked, reason } = request.body
      const admitted = await libraries.admit(request, at)
      const found = await libraries.find(request, identifier, asked)
      const { name, version, sha256 } = found
      requireLibrary(found)
      const store = (): Promise<LibraryContents> =>
        unpacking.run(async () => {
          const contents = await storeLibrary(libraries, { identifier, sha256, source: await found.open() })
          const fault = contentsFault(contents)
          if (fault !== undefined) throw refuse(fault)
          return contents
        })
      let contents = (await findContents(db, sha256)) ?? (await store())
      for (let tried = 1; ; tried += 1) {
        const added = { at, identifier, name, version, sha256, contents, now: clock.now() }
        const outcome = await putLibrary(db, libraries.objects, admitted, added, reason)
        if (outcome !== 'bytes_gone') return reply.code(outcome.isNew ? 201 : 200).send(outcome.library)
        if (tried === TRIES) throw new Problem('objects_unavailable')
        contents = await store()
      }
    },
  })

  app.route({
    ...on(deleteBoardLibrary),
    async handler(request, reply) {
      const { owner, repo, identifier } = request.params
      const at = { owner, repo }
      const admitted = await libraries.admit(request, at)
      await removeLibrary(db, admitted, at, identifier, request.query.reason)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...on(getBoardLibrarySymbols, { deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      const { identifier, sha256, ...at } = request.params
      await files.admit(request, at, 'read')
      const found = await findSymbols(db, at, identifier, sha256)
      if (found === undefined) throw new Problem('board_library_not_found')
      const sent = { sha256, size: found.size, mediaType: 'text/plain', etag: `"${sha256}"` }
      const gone = () => new Problem('objects_unavailable')
      return await sendObject(request, reply, libraries.objects, sent, INERT, gone)
    },
  })
}

const refuse = (detail: string) => new Problem('board_library_refused', { detail })

function requireLibrary({ type, size }: { readonly type: string; readonly size: number }): void {
  if (type !== 'library') throw refuse(`It is a package of type ${type}; only a library can be added.`)
  const most = BOARD_LIMITS.libraryArchiveBytes
  if (size > most) throw refuse(`Its archive is larger than ${most / 1024 ** 2} MiB.`)
}
