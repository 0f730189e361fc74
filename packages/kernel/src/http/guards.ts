import { Problem } from '@patchbay/contracts/core'
import type { FastifyRequest } from 'fastify'
import { hostIsAllowed } from './allowed-hosts.ts'
import { originIsAllowed } from './allowed-origins.ts'
import type { RouteTraits } from './route.ts'

export interface GuardOptions {
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Balancers probe by address, with whatever Host they like; these answers hold nothing worth rebinding for. */
const PROBES = new Set(['/health', '/ready'])
/** Far more names than an honest installation has; a flood of invented ones must not fill the memory. */
const REMEMBERED_HOSTS = 1_000

export type Guard = (request: FastifyRequest, route: string, traits: RouteTraits) => Problem | undefined

/** Why a request must not reach its handler, if so. */
export function createGuard({ allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const remembered = new Map<string, boolean>()
  const hostAllowed = (host: string): boolean => {
    let verdict = remembered.get(host)
    if (verdict === undefined) {
      verdict = hostIsAllowed(host, allowedHosts)
      if (remembered.size < REMEMBERED_HOSTS) remembered.set(host, verdict)
    }
    return verdict
  }
  return (request, route, traits) => {
    const { headers, rawHeaders } = request.raw
    if ((!hostAllowed(headers.host ?? '') || namesTwoHosts(rawHeaders)) && !PROBES.has(route))
      return new Problem('host_not_allowed')
    if (headers.origin === undefined || traits.crossOrigin === true || SAFE_METHODS.has(request.method))
      return undefined
    return originIsAllowed(headers.origin, allowedOrigins) ? undefined : new Problem('origin_not_allowed')
  }
}

/** Node keeps the first of two Host headers; a proxy in front may have judged the second. */
function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
