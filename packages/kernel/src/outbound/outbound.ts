import { presentAnswer } from './answer.ts'
import { leadsInside } from './checked-addresses.ts'
import { connectDirectly } from './dialer.ts'
import { Flight } from './flight.ts'
import { compileNetworks } from './networks.ts'
import type { Outbound, OutboundOptions } from './ports.ts'
import { followRedirects } from './redirects.ts'
import { OutboundRefused } from './refused.ts'
import { composeHeaders } from './request-headers.ts'
import { limitLookups, lookUpInSystem } from './system-lookup.ts'
import { parseTarget } from './target.ts'

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
