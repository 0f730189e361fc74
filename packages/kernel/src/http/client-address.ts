import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/**
 * Whose request this is, as the HTTP side has it: the last address that no trusted proxy vouches for. For upgrades, which
 * the framework does not see. Of an IPv6 address only the network part: one subscriber has 2^64 of the others.
 */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusts = trustedProxies.length === 0 ? () => false : proxyAddr.compile([...trustedProxies])
  return (request) => networkOf(proxyAddr(request, trusts))
}

/** An IPv4 address as it is, the network part of an IPv6 one. */
export function networkOf(address: string | undefined): string {
  // A client that is gone already has none.
  if (address === undefined) return ''
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length
    while (groups.length < 8 - after) groups.push('0')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
