import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import {
  deletePaste,
  getNextPaste,
  getPaste,
  listPastes,
  patchPaste,
  postPaste,
  postPasteUndo,
  postUploadGrant,
  UPLOAD_GRANT_HEADER,
} from '@patchbay/contracts/viewer'
import { type HttpApp, on, uploadOf } from '@patchbay/kernel/http'
import { displayText } from '@patchbay/primitives/text'
import type { FastifyReply } from 'fastify'
import type { StoredPaste } from '../ports.ts'
import type { Pastes } from './pastes.io.ts'
import { presentPaste } from './present.ts'
import type { UploadGrants } from './upload-grants.ts'

export interface PasteRoutesDeps {
  readonly pastes: Pastes
  readonly grants: UploadGrants
  /** Where the folder is on this machine. */
  readonly folder: string
}

const GRANTS_RATE = { max: 120, windowMs: 60_000 }
/** For the wait to come in, a large picture over a slow line, and the work on it. */
const UPLOAD_DEADLINE_MS = 180_000
/** Both waits at their longest, and some time for the answer. */
const NEXT_DEADLINE_MS = (PASTE_LIMITS.waitSeconds + 30) * 1000 + 5_000

export function registerPastes(app: HttpApp, { pastes, grants, folder }: PasteRoutesDeps): void {
  const present = (paste: StoredPaste) => presentPaste(paste, folder)

  app.route({
    ...on(postUploadGrant, { rateLimit: GRANTS_RATE }),
    async handler(request, reply) {
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ grant: grants.trade(request.body.nonce) })
    },
  })

  app.route({
    ...on(postPaste, { bodyLimit: PASTE_LIMITS.uploadBytes, deadlineMs: UPLOAD_DEADLINE_MS }),
    async handler(request, reply) {
      grants.require(request.headers[UPLOAD_GRANT_HEADER])
      const { title, file_name: fileName } = request.query
      const labels = { title: displayText(title) || undefined, fileName: displayText(fileName) || undefined }
      return reply.code(201).send(present(await pastes.save(uploadOf(request), labels)))
    },
  })

  app.route({
    ...on(listPastes),
    async handler(request, reply) {
      const { cursor, limit = 50 } = request.query
      const { items, nextCursor } = pastes.list(cursor, limit)
      return reply
        .header('cache-control', 'no-store')
        .send({ items: items.map(present), next_cursor: nextCursor })
    },
  })

  app.route({
    ...on(getPaste),
    handler: async (request, reply) =>
      reply.header('cache-control', 'no-store').send(present(pastes.find(request.params.id))),
  })

  app.route({
    ...on(getNextPaste, { deadlineMs: NEXT_DEADLINE_MS }),
    async handler(request, reply) {
      const { after, wait_seconds: wait = 25, naming_seconds: naming = 10 } = request.query
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const query = { after, waitMs: wait * 1000, namingMs: naming * 1000 }
      const next = await pastes.next(query, gone.signal)
      void reply.header('cache-control', 'no-store')
      if (next === undefined) return (reply as FastifyReply).code(204).send()
      return reply.send({ paste: present(next.paste), cursor: next.cursor })
    },
  })

  app.route({
    ...on(patchPaste),
    handler: async (request, reply) =>
      reply.send(present(await pastes.rename(request.params.id, request.body.name))),
  })

  app.route({
    ...on(postPasteUndo),
    handler: async (request, reply) => reply.send(present(await pastes.undo(request.params.id))),
  })

  app.route({
    ...on(deletePaste),
    async handler(request, reply) {
      await pastes.remove(request.params.id)
      return reply.code(204).send()
    },
  })
}
