import { timingSafeEqual } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import {
  getWatchdogStatus,
  postRestart,
  postStart,
  postStop,
  postWatchdog,
  type WatchdogStatus,
} from '@patchbay/contracts/gateway'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Secret } from '@patchbay/kernel/log'
import type { FastifyRequest } from 'fastify'
import { COMMAND_QUEUE } from './command-queue.ts'
import type { Supervisor } from './supervisor.io.ts'
import type { Timings } from './timings.ts'

export interface WatchdogRoutesDeps {
  readonly supervisor: Pick<Supervisor, 'status' | 'command' | 'switchAutoRestart'>
  readonly timings: Timings
  readonly token: Secret | undefined
}

/**
 * What tells load balancers and systemd no more than that somebody is there, and the pages about problems, the same in every
 * installation: whoever has no token is told of one that they could not open.
 */
const OPEN = new Set(['/health', '/ready', '/problems', '/problems/:code', '/reference.css'])
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const BODY_LIMIT_BYTES = 1_024

export function registerWatchdog(app: HttpApp, { supervisor, timings, token }: WatchdogRoutesDeps): void {
  // After the checks of host and origin, before a body is read.
  app.addHook('preParsing', async (request) => {
    refuseBrowsers(request)
    if (token !== undefined && !OPEN.has(request.routeOptions.url ?? '')) requireToken(request, token)
  })

  const { drainMs, killRepeatMs, startWaitMs } = timings
  const traits = {
    bodyLimit: BODY_LIMIT_BYTES,
    // Its turn, a stop and a start: longer than any of them may take, so that the answer is theirs.
    deadlineMs: COMMAND_QUEUE.patienceMs + drainMs + killRepeatMs + startWaitMs + 5_000,
  }
  app.route({
    ...on(getWatchdogStatus),
    async handler(request, reply) {
      return reply.header('cache-control', 'no-store').send(shownTo(request, supervisor.status()))
    },
  })
  app.route({
    ...on(postStart, traits),
    handler: async (request) => shownTo(request, await supervisor.command('start')),
  })
  app.route({
    ...on(postStop, traits),
    handler: async (request) => shownTo(request, await supervisor.command('stop')),
  })
  app.route({
    ...on(postRestart, traits),
    handler: async (request) => shownTo(request, await supervisor.command('restart')),
  })
  app.route({
    ...on(postWatchdog, traits),
    async handler(request) {
      // No body at all reaches the handler as undefined, whatever its type says.
      const { autoRestart } = request.body ?? {}
      return shownTo(request, await supervisor.switchAutoRestart(autoRestart ?? 'toggle'))
    },
  })
}

/** No page is meant to steer a gateway, not even one that got past the check of its origin. */
function refuseBrowsers({ method, headers }: FastifyRequest): void {
  if (method === 'POST' && headers['sec-fetch-site'] !== undefined) throw new Problem('origin_not_allowed')
}

function requireToken({ headers }: FastifyRequest, token: Secret): void {
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token.reveal()}`)
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return
  throw new Problem('token_required')
}

/** Lines of a log stay on the machine, also for those who may steer it from elsewhere. */
function shownTo({ socket, headers }: FastifyRequest, status: WatchdogStatus): WatchdogStatus {
  const forwarded = 'x-forwarded-for' in headers || 'forwarded' in headers
  if (status.lastExit === null || (LOOPBACK.has(socket.remoteAddress ?? '') && !forwarded)) return status
  return { ...status, lastExit: { ...status.lastExit, lastErrors: [] } }
}
