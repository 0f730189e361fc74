import type { IncomingHttpHeaders } from 'node:http'
import { networkOf } from '@patchbay/kernel/http'
import { cutUserAgent, type Origin } from './session.ts'

/** `ip` as the factory has it, which knows whom to believe about forwarded addresses. */
export function originOf(request: { readonly ip: string; readonly headers: IncomingHttpHeaders }): Origin {
  // A client that is gone already has no address, whatever the types say.
  return { network: plainAddress(request.ip ?? ''), userAgent: cutUserAgent(request.headers['user-agent']) }
}

function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/, '')
}

/** The part of an address that stays while a device moves about in one network: three numbers of four, or 64 bits. */
export function networkPrefix(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network : network.split('.').slice(0, 3).join('.')
}
