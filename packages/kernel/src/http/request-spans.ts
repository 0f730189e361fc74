import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../tracing/index.ts'
import type { Flight } from './flights.ts'

/** A flood of requests must not become one of traces. */
const LIMIT = { of: 'requests', perSecond: 100 }
/** Asked every few seconds by what watches the process: nothing to follow there. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics'])

export const isTraced = (route: string): boolean => !PROBES.has(route)

/** `undefined`: the request is not traced. A stranger chooses neither which trace it is in nor whether it is kept. */
export function beginRequestSpan(
  tracing: Tracing,
  request: FastifyRequest,
  reply: FastifyReply,
  trustsTraceparent: boolean,
): Span | undefined {
  const { method, id } = request
  const route = request.routeOptions.url ?? ''
  const given = request.headers['traceparent']
  const traceparent = typeof given === 'string' ? given : undefined
  const span = tracing.begin({
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'patchbay.request_id': id },
    ...(trustsTraceparent ? { parent: traceparent } : { links: [traceparent] }),
    limit: LIMIT,
  })
  // A stream is answered by its handler alone, and ends with its connection.
  if (span !== undefined) reply.raw.once('close', () => span.end())
  return span
}

export function endRequestSpan({ span, code }: Flight, status: number): void {
  if (span === undefined) return
  span.set('http.response.status_code', status)
  if (code !== undefined && status < 500) span.set('error.type', code)
  span.end(status < 500 ? undefined : (code ?? String(status)))
}
