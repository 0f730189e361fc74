import { Readable } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import { getModel } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { OutboundRefused, type OutboundResponse } from '@patchbay/kernel/outbound'
import { admit } from '../access/admission.store.ts'
import type { PanelsDeps } from '../deps.ts'

const LIMITS = { maxBytes: 64 * 1024 * 1024, deadlineMs: 30_000 }
const PACE = { max: 30, windowMs: 60_000 }
/** Another attempt would not help. */
const FINAL = new Set([
  'url',
  'scheme',
  'credentials',
  'address',
  'name',
  'port',
  'redirects',
  'encoding',
  'too_large',
])

export function registerModels(app: HttpApp, deps: PanelsDeps): void {
  app.route({
    ...on(getModel, { rateLimit: PACE, deadlineMs: LIMITS.deadlineMs + 5_000 }),
    async handler(request, reply) {
      const { owner, repo } = request.params
      await admit(deps, request, { owner, repo }, { areas: ['workspace'], access: 'read' })
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const model = await open(deps, request.query.url, gone.signal)
      const length = model.headers.get('content-length')
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="model"',
          'cache-control': 'no-store',
          ...(length === undefined ? {} : { 'content-length': length }),
        })
        .send(Readable.from(model.body, { objectMode: false }))
    },
  })
}

async function open({ outbound }: PanelsDeps, url: string, signal: AbortSignal): Promise<OutboundResponse> {
  const answer = await outbound
    .open(url, { ...LIMITS, signal, headers: { accept: 'model/gltf-binary,model/gltf+json,*/*;q=0.5' } })
    .catch((error: unknown) => {
      throw asProblem(error)
    })
  if (answer.status === 200) return answer
  await answer[Symbol.asyncDispose]()
  throw new Problem('source_unavailable', { detail: `The server answered with ${answer.status}.` })
}

function asProblem(error: unknown): unknown {
  if (!(error instanceof OutboundRefused)) return error
  const { reason, message } = error
  return new Problem(FINAL.has(reason) ? 'source_refused' : 'source_unavailable', {
    detail: message,
    extensions: { reason },
    cause: error,
  })
}
