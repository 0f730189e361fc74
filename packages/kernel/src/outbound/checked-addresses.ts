import { isIP } from 'node:net'
import { type Address, isPublic, type Networks, parseAddress } from './networks.ts'
import type { Lookup } from './ports.ts'
import { OutboundRefused } from './refused.ts'
import type { Target } from './target.ts'

export interface AddressPolicy {
  readonly isAllowed: Networks
  readonly ports: readonly number[]
  readonly lookup: Lookup
}

/** Letters, digits, hyphens and underscores: URLs let more through, and resolvers differ in what they make of it. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** The addresses that may be dialled for a target, as they are to be dialled. Refuses unless all of them may be. */
export async function findCheckedAddresses(
  target: Target,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = await findAddresses(target, policy, signal)
  if (!policy.ports.includes(target.port) && !addresses.every(policy.isAllowed)) {
    throw new OutboundRefused('port', `port ${target.port} of ${target.host}`)
  }
  // Written anew from what was checked, so that there is one reading of each.
  return addresses.map((address) => address.toString())
}

/** Whether any of a target's addresses may be dialled only because an operator opened its network. */
export async function leadsInside(
  target: Target,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<boolean> {
  return (await findAddresses(target, policy, signal)).some((address) => !isPublic(address))
}

async function findAddresses(
  target: Target,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  return isIP(target.host) === 0 ? await resolve(target.host, policy, signal) : [checkLiteral(target, policy)]
}

function checkLiteral({ host }: Target, policy: AddressPolicy): Address {
  const address = parseAddress(host)
  if (address === undefined || !isPermitted(address, policy))
    throw new OutboundRefused('address', describe(host, address))
  return address
}

async function resolve(
  name: string,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  if (!HOST_NAME.test(name)) throw new OutboundRefused('name', 'the host is not a host name')
  const answers = await lookUp(name, policy.lookup, signal)
  if (answers.length === 0) throw new OutboundRefused('name', `${name} has no address`)
  return answers.map((answer) => {
    const address = parseAddress(answer)
    if (address !== undefined && isPermitted(address, policy)) return address
    throw new OutboundRefused('name', `${name} is ${describe(answer, address)}`)
  })
}

async function lookUp(name: string, lookup: Lookup, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await lookup(name, signal)
  } catch (error) {
    throw error instanceof OutboundRefused ? error : new OutboundRefused('name', error)
  }
}

function isPermitted(address: Address, { isAllowed }: AddressPolicy): boolean {
  return isAllowed(address) || isPublic(address)
}

function describe(text: string, address: Address | undefined): string {
  return address === undefined ? `${text}, no address` : `${text}, in the range ${address.range()}`
}
