import { lookup } from 'node:dns/promises'
import { Semaphore } from '@patchbay/primitives/async'
import { presentAnswer } from './answer.ts'
import { type AddressPolicy, findCheckedAddresses, leadsInside } from './checked-addresses.ts'
import { connectDirectly } from './dialer.ts'
import { Flight } from './flight.ts'
import { type Hop, requestOnce } from './hop.ts'
import { compileNetworks } from './networks.ts'
import type { Connector, Lookup, Outbound, OutboundOptions } from './ports.ts'
import { OutboundRefused } from './refused.ts'
import { composeHeaders, type RequestHeaders } from './request-headers.ts'
import { parseTarget, type Target } from './target.ts'

const MOST_AT_ONCE = 2
const MOST_WAITING = 100

/** The resolver of the system, with its hosts file. */
const lookUpInSystem: Lookup = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

/**
 * A lookup blocks a thread of the process for as long as a stranger's name server likes. Without this limit four slow
 * ones stop every file operation.
 */
function limitLookups(lookUp: Lookup): Lookup {
  const lookups = new Semaphore({
    total: MOST_AT_ONCE,
    maxWaiting: MOST_WAITING,
    refuse: () => new OutboundRefused('unreachable', 'too many lookups wait'),
  })
  return (name, signal) => lookups.run(() => lookUp(name, signal), { signal })
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

interface Route {
  readonly policy: AddressPolicy
  readonly connect: Connector
  readonly maxRedirects: number
  readonly headers: RequestHeaders
  readonly openedHost: string | null | undefined
}

const NOTHING_OPENED = () => false

/** The first answer that is no redirect. Each hop is parsed, resolved and checked as if it were the first. */
async function followRedirects(url: string, route: Route, flight: Flight): Promise<Hop> {
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

const WEB_PORTS = [80, 443]
const MAX_REDIRECTS = 5

/** The one way out for requests to addresses that strangers name. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { connect = connectDirectly, maxRedirects = MAX_REDIRECTS, userAgent } = options
  const policy = {
    isAllowed: compileNetworks(options.allowedNetworks ?? []),
    ports: options.ports ?? WEB_PORTS,
    lookup: limitLookups(options.lookup ?? lookUpInSystem),
  }
  const flights = new Set<Flight>()
  let isClosed = false

  const close = async () => {
    isClosed = true
    for (const flight of flights) flight.end(new OutboundRefused('closed'))
  }

  return {
    async open(url, request) {
      const headers = composeHeaders(userAgent, request.headers)
      request.signal?.throwIfAborted()
      if (isClosed) throw new OutboundRefused('closed')
      const flight = new Flight(request, (ended) => flights.delete(ended))
      flights.add(flight)
      try {
        const { openedHost } = request
        const hop = await followRedirects(url, { policy, connect, maxRedirects, headers, openedHost }, flight)
        return presentAnswer(hop, request.maxBytes, flight)
      } catch (error) {
        const reason = flight.explain(error, 'unreachable')
        flight.end(reason)
        throw reason
      }
    },
    async leadsInside(url, request) {
      const flight = new Flight({ ...request, maxBytes: 0 }, (ended) => flights.delete(ended))
      flights.add(flight)
      try {
        return await flight.race(leadsInside(parseTarget(url), policy, flight.signal))
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof OutboundRefused) return false
        throw error
      } finally {
        flight.end(new OutboundRefused('closed'))
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
