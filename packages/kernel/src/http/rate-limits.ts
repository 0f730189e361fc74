import { Problem } from '@patchbay/contracts/core'
import type { FastifyRequest } from 'fastify'
import type { RateLimit, RateLimitRule, RateLimitVerdict } from '../bus/ports/bus.ts'
import type { Log } from '../log/index.ts'
import { networkOf } from './client-address.ts'

export interface RateLimitDeps {
  /** Counts over all nodes. */
  readonly shared: RateLimit
  /** Counts on this node, for as long as the shared one cannot be reached. */
  readonly local: RateLimit
  readonly log: Log
}

/** Refuses a request that is over its route's limit, per client address; of IPv6, per network. */
export async function enforceRateLimit(
  deps: RateLimitDeps,
  request: FastifyRequest,
  route: string,
  rule: RateLimitRule,
): Promise<void> {
  const key = `http:${route}:${request.method}:${networkOf(request.ip)}`
  const verdict = await judge(deps, key, rule)
  if (verdict.allowed) return
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
  throw new Problem('rate_limited', {
    detail: `Try again in ${seconds} s.`,
    extensions: { retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  })
}

async function judge(
  { shared, local, log }: RateLimitDeps,
  key: string,
  rule: RateLimitRule,
): Promise<RateLimitVerdict> {
  try {
    return await shared.hit(key, rule)
  } catch (error) {
    log.warn({ err: error }, 'shared rate limit unreachable, limiting per node')
    return await local.hit(key, rule)
  }
}
