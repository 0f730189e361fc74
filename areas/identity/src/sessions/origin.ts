import type { IncomingHttpHeaders } from 'node:http'
import { networkOf } from '@patchbay/kernel/http'
import { PAGE_AGENT } from './device.ts'
import { cutUserAgent, type Origin } from './session.ts'

/** `ip` as the factory has it, which knows whom to believe about forwarded addresses. */
export function originOf(request: { readonly ip: string; readonly headers: IncomingHttpHeaders }): Origin {
  // A client that is gone already has no address, whatever the types say.
  return { network: plainAddress(request.ip ?? ''), userAgent: userAgentOf(request.headers) }
}

/**
 * The same of whoever begins a login. A page of another site runs in the browser of the person and asks from their network:
 * it is named by its origin, or a stranger's page would look like their own device. Only browsers tell the truth about it.
 */
export function requesterOf(
  request: { readonly ip: string; readonly headers: IncomingHttpHeaders },
  publicUrl: string,
): Origin {
  const { origin } = request.headers
  const asked = originOf(request)
  if (origin === undefined || origin === new URL(publicUrl).origin) return asked
  return { ...asked, userAgent: cutUserAgent(`${PAGE_AGENT}${origin}`) }
}

/** Without our own mark: a program that calls itself `page https://…` would be taken for a page of that site. */
function userAgentOf(headers: IncomingHttpHeaders): string {
  let text = headers['user-agent'] ?? ''
  while (text.startsWith(PAGE_AGENT)) text = text.slice(PAGE_AGENT.length)
  return cutUserAgent(text)
}

function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/, '')
}

/** The part of an address that stays while a device moves about in one network: three numbers of four, or 64 bits. */
export function networkPrefix(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network : network.split('.').slice(0, 3).join('.')
}
