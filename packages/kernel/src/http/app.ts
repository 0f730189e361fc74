import type { IncomingMessage } from 'node:http'
import { type ApiInfo, PROBLEM_CONTENT_TYPE, Problem } from '@patchbay/contracts/core'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Log, Secret } from '../log/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { BODY_TIMES, type BodyTimes, watchBodies } from './bodies.ts'
import { answerClientError } from './client-errors.ts'
import { watchConnections } from './connections.ts'
import { asProblem } from './failures.ts'
import type { InFlight } from './flights.ts'
import type { GuardOptions } from './guards.ts'
import type { HttpApp, TypeBoxProvider } from './http-app.ts'
import type { RateLimitDeps } from './rate-limits.ts'
import type { ReadinessCheck } from './readiness.ts'
import { registerReference } from './reference.routes.ts'
import { type RoutePolicy, wrapRoutes } from './route-policy.ts'
import { registerSystemRoutes, type SystemRoutesDeps } from './system.routes.ts'
import { acceptUploads } from './uploads.ts'
import { acceptEmptyJson, answerCompiler, schemaCompiler } from './validation.ts'

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Ids that are unique over all nodes, because a node's name is. A proxy in front may have given one already;
 * it is kept only where proxies are configured, since a stranger could otherwise choose what our logs say.
 */
function createRequestIds(node: string, behindProxy: boolean): (request: IncomingMessage) => string {
  let count = 0
  return ({ headers }) => {
    const given = behindProxy ? headers['x-request-id'] : undefined
    if (typeof given === 'string' && WELL_FORMED.test(given)) return given
    count += 1
    return `${node}-${count.toString(36)}`
  }
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
] as const satisfies readonly HTTPMethod[]

type AllowedMethods = (path: string) => readonly string[]

/**
 * Which methods an address takes. The framework answers a wrong method like an unknown address; a second router,
 * asked only when nothing was found, tells the two apart.
 */
function trackMethods(app: FastifyInstance): AllowedMethods {
  const router = findMyWay({ ignoreDuplicateSlashes: false, ignoreTrailingSlash: false })
  const known = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    // A catch-all serves pages under any path; it must not turn every unknown address into a 405.
    if (url === '*' || url === '/*') return
    for (const one of [method].flat()) {
      const name = one as HTTPMethod
      if (known.has(`${name} ${url}`)) continue
      known.add(`${name} ${url}`)
      router.on(name, url, () => {})
    }
  })
  return (path) => METHODS.filter((method) => router.find(method, path) !== null)
}

export interface HttpOptions extends GuardOptions {
  readonly info: ApiInfo
  readonly node: string
  readonly log: Log
  readonly metrics: Metrics
  readonly metricsToken?: Secret | undefined
  readonly checks: readonly ReadinessCheck[]
  readonly vitals?: SystemRoutesDeps['vitals']
  /** Addresses and networks whose `X-Forwarded-*` is believed. */
  readonly trustedProxies: readonly string[]
  readonly rateLimits: Pick<RateLimitDeps, 'shared' | 'local'>
  /** How long a handler may take, unless its route says otherwise. */
  readonly deadlineMs?: number
  readonly bodyLimitBytes?: number
  readonly bodyTimes?: Partial<BodyTimes>
  readonly headerTimes?: typeof HEADER_TIMES
  /** Also where an endpoint is for pages of all origins: an installation that is for one network alone. */
  readonly refusesOtherOrigins?: boolean
  /** For a process whose routes read the query as it came: parsing it for them would be work for nothing. */
  readonly leavesQueryAlone?: boolean
  readonly tracing?: Tracing | undefined
  /** Whether a request continues the trace that its `traceparent` names; otherwise its own trace is linked to that one. */
  readonly trustsTraceparent?: boolean
}

export interface Http {
  readonly app: HttpApp
  /** `/ready` answers 503 from now on, but requests are still taken. */
  announceDrain(): void
  /** Stops accepting, finishes what is in flight, and cuts what is left at the deadline. */
  drain(deadlineMs: number): Promise<void>
}

const DEFAULT_DEADLINE_MS = 10_000
const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024
/** Below the 2 s within which a lost engine must show. */
const READINESS_DEADLINE_MS = 1_500
/** Of a path. Schemas say what is allowed; the router's own limit of 100 would call longer names unknown addresses. */
const LONGEST_PARAMETER = 300
const NO_QUERY = Object.freeze({})
/** How long a client may take for its headers. Node looks only so often, every 30 seconds unless told otherwise. */
const HEADER_TIMES = { timeoutMs: 10_000, checkMs: 2_500 }
/** Only for what nothing else ended: bodies and uploads have limits of their own. */
const REQUEST_TIMEOUT_MS = 60 * 60_000

export function createHttp(options: HttpOptions): Http {
  const { log, metrics, node, trustedProxies } = options
  const bodyTimes = { ...BODY_TIMES, ...options.bodyTimes }
  const { headerTimes = HEADER_TIMES } = options
  let isAnnounced = false
  let isEnding = false
  const app: HttpApp = fastify({
    // Its own lines quote the address that was asked for, and with it tokens. Ours name the route.
    logger: false,
    genReqId: createRequestIds(node, trustedProxies.length > 0),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: headerTimes.checkMs },
    routerOptions: {
      maxParamLength: LONGEST_PARAMETER,
      ...(options.leavesQueryAlone === true ? { querystringParser: () => NO_QUERY } : {}),
    },
    // Requests that arrive on open connections while we close are still served, with `connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const problem = asProblem(error)
      policy.prepare(request, reply)
      policy.countUnmatched(request.method, problem.status)
      sendProblem(reply, problem)
    },
  }).withTypeProvider<TypeBoxProvider>()
  app.server.headersTimeout = headerTimes.timeoutMs
  app.setValidatorCompiler(schemaCompiler)
  app.setSerializerCompiler(answerCompiler)
  acceptEmptyJson(app)
  acceptUploads(app, bodyTimes.idleMs)
  const stopWatching = watchBodies(app.server, bodyTimes)
  const connections = watchConnections(app.server, trustedProxies.length > 0)

  const allowedMethods = trackMethods(app)
  const policy: RoutePolicy = wrapRoutes(app, {
    ...options,
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    isEnding: () => isEnding,
    refusesOtherOrigins: options.refusesOtherOrigins ?? false,
  })

  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error)
    if (problem.code === 'internal_error')
      log.error({ err: error, requestId: request.id }, 'unexpected failure')
    const { flight } = reply as InFlight
    if (flight !== null) flight.code = problem.code
    return sendProblem(reply, problem)
  })
  app.setNotFoundHandler((request, reply) => {
    policy.prepare(request, reply)
    const methods = allowedMethods(request.raw.url?.split('?')[0] ?? '')
    const problem = new Problem(methods.length === 0 ? 'not_found' : 'method_not_allowed')
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    policy.countUnmatched(request.method, problem.status)
    return sendProblem(reply, problem)
  })

  // First, so that it sees every route that follows.
  registerReference(app, options.info)
  registerSystemRoutes(app, {
    checks: options.checks,
    readinessDeadlineMs: READINESS_DEADLINE_MS,
    metrics,
    metricsToken: options.metricsToken,
    isDraining: () => isAnnounced,
    vitals: options.vitals,
  })
  return {
    app,
    announceDrain() {
      isAnnounced = true
    },
    async drain(deadlineMs) {
      isAnnounced = true
      await connections.refuseNew()
      // Not before: a proxy would open a new connection for every request, and some would wait to be accepted just then.
      isEnding = true
      const cut = setTimeout(() => app.server.closeAllConnections(), deadlineMs)
      const stopSweeping = await connections.closeIdle(deadlineMs)
      await app.close().finally(() => {
        clearTimeout(cut)
        stopSweeping()
      })
      stopWatching()
      policy.stop()
    },
  }
}

/** As text, not as an object: a route's answer schema for the same status would strip the problem's members. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  // HTTP wants the way to sign in named. Browsers ask their user for nothing when it is this one.
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .type(PROBLEM_CONTENT_TYPE)
    .serializer((text: string) => text)
    .send(JSON.stringify(problem))
}
