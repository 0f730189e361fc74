import { type AddressPolicy, findCheckedAddresses } from './checked-addresses.ts'
import type { Flight } from './flight.ts'
import { type Hop, requestOnce } from './hop.ts'
import type { Connector } from './ports.ts'
import { OutboundRefused } from './refused.ts'
import type { RequestHeaders } from './request-headers.ts'
import { parseTarget, type Target } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface Route {
  readonly policy: AddressPolicy
  readonly connect: Connector
  readonly maxRedirects: number
  readonly headers: RequestHeaders
  readonly openedHost: string | null | undefined
}

const NOTHING_OPENED = () => false

/** The first answer that is no redirect. Each hop is parsed, resolved and checked as if it were the first. */
export async function followRedirects(url: string, route: Route, flight: Flight): Promise<Hop> {
  const { connect, headers, maxRedirects, openedHost } = route
  let target: Target = parseTarget(url)
  for (let redirects = 0; ; redirects += 1) {
    const isOpened = openedHost === undefined || openedHost === target.url.host
    const policy = isOpened ? route.policy : { ...route.policy, isAllowed: NOTHING_OPENED }
    const addresses = await flight.race(findCheckedAddresses(target, policy, flight.signal))
    const hop = await requestOnce({ target, addresses, connect, headers }, flight)
    const location = hop.headers.get('location')
    if (!REDIRECTS.has(hop.status) || location === undefined) return hop
    hop.close()
    if (redirects >= maxRedirects)
      throw new OutboundRefused('redirects', `more than ${maxRedirects} redirects`)
    target = parseTarget(location, target.url)
  }
}
