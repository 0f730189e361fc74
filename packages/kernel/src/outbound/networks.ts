import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** What else an IPv6 address may be is either not assigned or hides an IPv4 address. */
const GLOBAL_UNICAST = compileNetworks(['2000::/3'])

/** Public by its number, but answered by the host machine of one large cloud, with secrets of the guest. */
const PLATFORM_SERVICES = compileNetworks(['168.63.129.16'])

export type Networks = (address: Address) => boolean

/** Whether an address lies in one of these networks; `TypeError` for text that names none. */
export function compileNetworks(networks: readonly string[]): Networks {
  const ranges = networks.map(parseNetwork)
  return (address) =>
    ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

/**
 * The address that a dialled text stands for, or `undefined` if it is none. A mapped IPv4 address is that address:
 * the kernel dials it as such, so it must not pass as an IPv6 one. A zone names an interface of this machine.
 */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.process(text)
}

/** Whether anybody on the internet could reach this address too, so that reaching it from here tells nothing new. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? !PLATFORM_SERVICES(address) : GLOBAL_UNICAST(address)
}

function parseNetwork(text: string): [Address, number] {
  const [base = '', prefix] = text.split('/')
  const most = isIP(base) === 6 ? 128 : 32
  const isSound = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
  if (isIP(base) === 0 || base.includes('%') || !isSound) throw new TypeError(`"${text}" is not a network`)
  return [ipaddr.parse(base), prefix === undefined ? most : Number(prefix)]
}
