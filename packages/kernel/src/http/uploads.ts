import { type EndpointSpec, Problem } from '@patchbay/contracts/core'
import type { FastifyRequest } from 'fastify'
import { exemptUpload } from './bodies.ts'
import type { HttpApp } from './http-app.ts'

/** The body of an endpoint with an `upload`, as it arrives. To be read once; fails with a `Problem`. */
export type Upload = AsyncIterable<Uint8Array>

/**
 * Hands the bodies of upload endpoints to their handlers unread: a file of hundreds of megabytes must not be in memory,
 * and whoever may not send it is told so before it has arrived. Every other type that nobody parses is still refused.
 */
export function acceptUploads(app: HttpApp, idleMs: number): void {
  app.addContentTypeParser('*', (request, payload, done) => {
    // An address that does not exist is that, whatever is sent to it.
    if (request.is404) return done(null, undefined)
    if (uploadTypeOf(request) === undefined) return done(new Problem('unsupported_media_type'))
    const limit = request.routeOptions.bodyLimit ?? 0
    if (Number(request.headers['content-length'] ?? 0) > limit) return done(new Problem('body_too_large'))
    exemptUpload(request.raw)
    done(null, limited(payload, limit, idleMs))
  })
}

/** For the route itself: a parser of another type would otherwise read all of it, and the handler see a text. */
export function requireUploadType(
  request: FastifyRequest,
  _reply: unknown,
  _payload: unknown,
  done: (error?: Error) => void,
): void {
  const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  done(given === uploadTypeOf(request) ? undefined : new Problem('unsupported_media_type'))
}

export function uploadOf(request: { readonly body: unknown }): Upload {
  const { body } = request
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body) return body as Upload
  throw new TypeError('only an endpoint with an upload has one')
}

function uploadTypeOf(request: FastifyRequest): string | undefined {
  const { endpoint } = request.routeOptions.config as { readonly endpoint?: EndpointSpec }
  return endpoint?.upload?.mediaType
}

/** Without `destroyOnReturn: false`, whoever stops reading would cut the connection that the answer must take. */
async function* limited(
  payload: AsyncIterable<Uint8Array> & {
    iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
  },
  limit: number,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const pieces = (payload.iterator?.({ destroyOnReturn: false }) ?? payload)[Symbol.asyncIterator]()
  let size = 0
  try {
    for (;;) {
      const piece = await within(pieces.next(), idleMs)
      if (piece.done === true) return
      size += piece.value.byteLength
      if (size > limit) throw new Problem('body_too_large')
      yield piece.value
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('malformed_request', { detail: 'The upload broke off.', cause: error })
  }
}

/** A promise of its own for each piece: racing one for all would keep every piece in memory. */
async function within<T>(next: Promise<T>, idleMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => {
    reject(new Problem('request_timeout', { detail: `Nothing of the upload came for ${idleMs / 1000} s.` }))
  }, idleMs)
  next.then(resolve, reject)
  return await promise.finally(() => clearTimeout(timer))
}
