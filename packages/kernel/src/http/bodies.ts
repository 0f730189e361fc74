import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { answerClientError } from './client-errors.ts'

export interface BodyTimes {
  /** In which a body must be whole that is no upload. */
  readonly arrivalMs: number
  /** Between two pieces of an upload. */
  readonly idleMs: number
  /** For the rest of a body that was answered before it was there. */
  readonly lingerMs: number
}

export const BODY_TIMES: BodyTimes = { arrivalMs: 60_000, idleMs: 30_000, lingerMs: 5_000 }

const SWEEP_INTERVAL_MS = 250

interface Arriving {
  readonly response: ServerResponse
  readonly begunAt: number
  answeredAt: number | undefined
}

const uploads = new WeakSet<IncomingMessage>()

/** An upload takes as long as its route allows; how it comes is watched where it is read. */
export function exemptUpload(request: IncomingMessage): void {
  uploads.add(request)
}

/**
 * Ends connections whose body does not come. Node's own limit is one for all requests: with that of an upload anybody
 * could hold a connection for as long by sending a form slowly. Answers `stop`.
 */
export function watchBodies(server: Server, { arrivalMs, lingerMs }: BodyTimes): () => void {
  const arriving = new Map<IncomingMessage, Arriving>()
  server.prependListener('request', (request, response) => {
    if (hasBody(request))
      arriving.set(request, { response, begunAt: performance.now(), answeredAt: undefined })
  })
  const sweep = (now: number) => {
    for (const [request, body] of arriving) {
      if (request.complete || request.socket.destroyed) arriving.delete(request)
      else if (body.answeredAt !== undefined) {
        if (now - body.answeredAt > lingerMs) request.socket.destroy()
      } else if (body.response.writableEnded) body.answeredAt = now
      else if (now - body.begunAt > arrivalMs && !uploads.has(request)) {
        body.answeredAt = now
        refuse(request, body.response)
      }
    }
  }
  const timer = setInterval(() => sweep(performance.now()), SWEEP_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.socket.destroy()
  else answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
