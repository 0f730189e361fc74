import type { FastifyReply, FastifyRequest, onRequestHookHandler, onResponseHookHandler } from 'fastify'
import type { Log } from '../log/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { HttpApp } from './http-app.ts'
import { Deadlines } from './deadlines.ts'
import { createGuard, type GuardOptions } from './guards.ts'
import { enforceRateLimit, type RateLimitDeps } from './rate-limits.ts'
import { RequestStats } from './request-stats.ts'
import type { RouteTraits } from './route.ts'
import { API_HEADERS } from './security-headers.ts'

export interface RoutePolicyOptions extends GuardOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly rateLimits: Pick<RateLimitDeps, 'shared' | 'local'>
  readonly deadlineMs: number
  readonly isDraining: () => boolean
}

export interface RoutePolicy {
  /** What every answer carries; also for addresses that no route has. */
  prepare(request: FastifyRequest, reply: FastifyReply): void
  stop(): void
}

/**
 * Puts the same two hooks around every route. They are made per route, so that its pattern and traits are at hand:
 * asking the framework for them builds a new object on every request.
 */
export function wrapRoutes(app: HttpApp, options: RoutePolicyOptions): RoutePolicy {
  const { log, isDraining } = options
  const guard = createGuard(options)
  const deadlines = new Deadlines()
  const stats = new RequestStats()
  stats.exposeTo(options.metrics)
  const limits: RateLimitDeps = { ...options.rateLimits, log }
  const ours = new WeakSet<object>()

  const prepare = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(API_HEADERS).header('x-request-id', request.id)
    if (isDraining()) reply.header('connection', 'close')
  }

  app.addHook('onRoute', (route) => {
    // The framework derives HEAD from GET and brings the hooks along.
    if ([route.onRequest].flat().some((hook) => hook !== undefined && ours.has(hook))) return
    const traits = (route.config ?? {}) as RouteTraits
    const deadlineMs = traits.deadlineMs ?? options.deadlineMs

    const before: onRequestHookHandler = (request, reply, done) => {
      prepare(request, reply)
      const refusal = guard(request, route.url, traits)
      if (refusal !== undefined) return done(refusal)
      deadlines.watch(reply, deadlineMs)
      if (traits.rateLimit === undefined) return done()
      enforceRateLimit(limits, request, route.url, traits.rateLimit).then(() => done(), done)
    }
    const after: onResponseHookHandler = (request, reply, done) => {
      deadlines.done(reply)
      const { statusCode, elapsedTime } = reply
      stats.record(request.method, route.url, statusCode, elapsedTime / 1000)
      const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug'
      if (log.isLevelEnabled(level)) {
        log[level](
          {
            requestId: request.id,
            method: request.method,
            route: route.url,
            status: statusCode,
            ms: Math.round(elapsedTime),
          },
          'request',
        )
      }
      done()
    }
    ours.add(before)
    route.onRequest = [before, ...asList(route.onRequest)]
    route.onResponse = [...asList(route.onResponse), after]
  })

  return { prepare, stop: () => deadlines.stop() }
}

function asList<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[])
}
