import type { EndpointSpec, ProblemCode } from '@patchbay/contracts/core'
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify'
import { Histogram } from 'prom-client'
import type { Log } from '../log/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { answerPreflights, CORS_HEADERS } from './cors.ts'
import { Deadlines } from './deadlines.ts'
import { beginFlight, type InFlight } from './flights.ts'
import { createGuard, type GuardOptions } from './guards.ts'
import type { HttpApp } from './http-app.ts'
import { enforceRateLimit, type RateLimitDeps } from './rate-limits.ts'
import { beginRequestSpan, endRequestSpan, isTraced } from './request-spans.ts'
import type { RouteTraits } from './route.ts'
import { API_HEADERS } from './security-headers.ts'

export interface RoutePolicyOptions extends GuardOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly rateLimits: Pick<RateLimitDeps, 'shared' | 'local'>
  readonly deadlineMs: number
  readonly isEnding: () => boolean
  readonly refusesOtherOrigins: boolean
  readonly tracing?: Tracing | undefined
  readonly trustsTraceparent?: boolean
}

export interface RoutePolicy {
  /** What every answer carries; also for addresses that no route has. */
  prepare(request: FastifyRequest, reply: FastifyReply): void
  /** Counts an answer that no route gave, such as to somebody who looks for addresses. */
  countUnmatched(method: string, status: number): void
  stop(): void
}

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Puts the same two hooks around every route. They are made per route, so that its pattern and traits are at hand:
 * asking the framework for them builds a new object on every request.
 */
export function wrapRoutes(app: HttpApp, options: RoutePolicyOptions): RoutePolicy {
  const { log, isEnding, tracing, trustsTraceparent = false } = options
  const guard = createGuard(options)
  const deadlines = new Deadlines()
  const durations = new Histogram({
    name: 'patchbay_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer is ready',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [options.metrics],
  })
  const limits: RateLimitDeps = { ...options.rateLimits, log }
  const ours = new WeakSet<object>()
  const offerPreflight = answerPreflights(app)
  // Declared, so that every reply has the field from its birth and none changes its shape.
  app.decorateReply('flight', null)

  const prepare = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(API_HEADERS).header('x-request-id', request.id)
    if (isEnding()) reply.header('connection', 'close')
  }

  const logRequest = (
    request: FastifyRequest,
    route: string,
    status: number,
    elapsedMs: number,
    code?: ProblemCode,
  ) => {
    log[code !== undefined && WAITS_FOR_PERSON.has(code) ? 'info' : levelOf(status)](
      { requestId: request.id, method: request.method, route, status, ms: Math.round(elapsedMs) },
      'request',
    )
  }

  app.addHook('onRoute', (route) => {
    // The framework derives HEAD from GET and brings the hooks along.
    if ([route.onRequest].flat().some((hook) => hook !== undefined && ours.has(hook))) return
    const traits = (route.config ?? {}) as RouteTraits & { readonly endpoint?: EndpointSpec }
    const { endpoint } = traits
    const mayLackBody =
      endpoint?.upload === undefined && (endpoint?.body === undefined || endpoint.bodyIsOptional === true)
    const flights = deadlines.list(traits.deadlineMs ?? options.deadlineMs)
    const isShared = endpoint?.cors === 'public' && !options.refusesOtherOrigins
    if (isShared) offerPreflight(route.url, endpoint)
    const traces = isTraced(route.url) ? tracing : undefined

    const count = (request: FastifyRequest, status: number, elapsedMs: number, code?: ProblemCode) => {
      durations.observe({ method: request.method, route: route.url, status }, elapsedMs / 1000)
      if (status >= 400 || log.isLevelEnabled('debug'))
        logRequest(request, route.url, status, elapsedMs, code)
    }

    const before: onRequestHookHandler = (request, reply, done) => {
      const span = traces && beginRequestSpan(traces, request, reply, trustsTraceparent)
      const flight = beginFlight(reply, performance.now(), span)
      ;(reply as InFlight).flight = flight
      flights?.add(flight)
      prepare(request, reply)
      if (isShared) reply.headers(CORS_HEADERS)
      if (mayLackBody && hasNoBody(request)) delete request.headers['content-type']
      const admit = () => {
        const refusal = guard(request, route.url, traits)
        if (refusal !== undefined) return done(refusal)
        if (traits.rateLimit === undefined) return done()
        enforceRateLimit(limits, request, route.url, traits.rateLimit).then(() => done(), done)
      }
      if (traces === undefined || span === undefined) admit()
      else traces.within(span, admit)
    }
    // Parsing a body leaves the context of the request: whoever handles it is given it back.
    const handing: preValidationHookHandler = (_request, reply, done) => {
      const span = (reply as InFlight).flight?.span
      if (traces === undefined || span === undefined) done()
      else traces.within(span, () => done())
    }
    // When the answer is ready, not when its last byte has left: waiting for that costs listeners on every response.
    const after: onSendHookHandler = (request, reply, _payload, done) => {
      const { flight, statusCode } = reply as InFlight
      if (flight !== null) {
        flights?.remove(flight)
        count(request, statusCode, performance.now() - flight.begunAt, flight.code)
        endRequestSpan(flight, statusCode)
      } else {
        // A hook of a whole scope comes before those of its routes, and refused it.
        prepare(request, reply)
        if (isShared) reply.headers(CORS_HEADERS)
        count(request, statusCode, 0)
      }
      // What was in flight when draining began would otherwise leave its connection open, and the server waiting for it.
      if (isEnding()) reply.header('connection', 'close')
      done()
    }
    ours.add(before)
    route.onRequest = [before, ...asList(route.onRequest)]
    if (traces !== undefined) route.preValidation = [handing, ...asList(route.preValidation)]
    route.onSend = [...asList(route.onSend), after]
  })

  return {
    prepare,
    countUnmatched: (method, status) => durations.observe({ method, route: '(none)', status }, 0),
    stop: () => deadlines.stop(),
  }
}

/** Clients name a content type for nothing as well: `curl -d ''` calls it a form. */
function hasNoBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] === '0' && headers['transfer-encoding'] === undefined
}

function asList<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[])
}

/** Whoever waits for a person asks again and again: as warnings, the answers would hide those that matter. */
const WAITS_FOR_PERSON: ReadonlySet<ProblemCode> = new Set(['sharing_not_enabled', 'sharing_declined'])

function levelOf(status: number): 'error' | 'warn' | 'info' | 'debug' {
  if (status < 400) return 'debug'
  if (status < 500) return 'info'
  return status === 502 || status === 504 ? 'warn' : 'error'
}
