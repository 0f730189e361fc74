import { timingSafeEqual } from 'node:crypto'
import { endpoint, Problem } from '@patchbay/contracts/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Secret } from '../log/index.ts'
import { type Metrics, observeGauge } from '../metrics/index.ts'
import type { HttpApp } from './http-app.ts'
import { askReadiness, type ReadinessCheck } from './readiness.ts'
import { on } from './route.ts'

export interface SystemRoutesDeps {
  readonly checks: readonly ReadinessCheck[]
  readonly readinessDeadlineMs: number
  readonly metrics: Metrics
  readonly metricsToken: Secret | undefined
  readonly isDraining: () => boolean
  /** Extra members of `/health`, such as a gateway's pending count. */
  readonly vitals?: (() => Promise<Record<string, unknown>> | Record<string, unknown>) | undefined
}

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  name: 'getHealth',
  summary: 'Whether the process is alive',
  tag: 'System',
  responses: {
    200: Type.Object(
      { status: Type.Literal('ok'), uptime_seconds: Type.Number() },
      { additionalProperties: true, description: 'The process is alive' },
    ),
  },
})

const readinessBody = Type.Object({
  ready: Type.Boolean(),
  draining: Type.Boolean(),
  checks: Type.Record(Type.String(), Type.Union([Type.Literal('ok'), Type.Literal('failed')])),
})

export const getReadiness = endpoint({
  method: 'GET',
  path: '/ready',
  name: 'getReadiness',
  summary: 'Whether the node can serve: its engines answer and it is not draining',
  tag: 'System',
  responses: { 200: readinessBody, 503: readinessBody },
})

export function registerSystemRoutes(app: HttpApp, deps: SystemRoutesDeps): void {
  app.route({
    ...on(getHealth),
    async handler(_request, reply) {
      const vitals = (await deps.vitals?.()) ?? {}
      return reply
        .header('cache-control', 'no-store')
        .send({ ...vitals, status: 'ok', uptime_seconds: process.uptime() })
    },
  })

  app.route({
    ...on(getReadiness),
    async handler(_request, reply) {
      const { ready, checks } = await askReadiness(deps.checks, deps.readinessDeadlineMs)
      const draining = deps.isDraining()
      const status = ready && !draining ? 200 : 503
      return reply
        .code(status)
        .header('cache-control', 'no-store')
        .send({ ready: status === 200, draining, checks })
    },
  })

  observeGauge(deps.metrics, {
    name: 'patchbay_check_ok',
    help: '1 for each engine that answers, 0 for one that does not, as /ready sees it',
    label: 'check',
    async read() {
      const { checks } = await askReadiness(deps.checks, deps.readinessDeadlineMs)
      return Object.fromEntries(Object.entries(checks).map(([name, state]) => [name, state === 'ok' ? 1 : 0]))
    },
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.metricsToken)) throw new Problem('not_found')
    return await sendMetrics(reply, deps.metrics)
  })
}

async function sendMetrics(reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  return reply
    .header('cache-control', 'no-store')
    .type(metrics.contentType)
    .send(await metrics.metrics())
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** A proxy on this machine is a loopback peer too, so whoever was forwarded needs the token. */
function mayReadMetrics(request: FastifyRequest, token: Secret | undefined): boolean {
  if (token === undefined) {
    const forwarded = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers
    return LOOPBACK.has(request.socket.remoteAddress ?? '') && !forwarded
  }
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token.reveal()}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
