import type { Device, DeviceChannel } from '@patchbay/contracts/devices'

/** A channel of a device of the workspace, such as `servo/angle`. */
export type ChannelAddress = `${string}/${string}`

export function isAddress(text: unknown): text is ChannelAddress {
  return typeof text === 'string' && /^[^/]+\/[^/]+$/.test(text)
}

export function splitAddress(address: ChannelAddress): { device: string; channel: string } {
  const at = address.indexOf('/')
  return { device: address.slice(0, at), channel: address.slice(at + 1) }
}

/** What the workspace knows of it; a device that is there may have another description by now. */
export function findChannel(
  devices: readonly Device[],
  address: ChannelAddress,
): { readonly device: Device | undefined; readonly channel: DeviceChannel | undefined } {
  const names = splitAddress(address)
  const device = devices.find(({ name }) => name === names.device)
  return { device, channel: device?.channels.find(({ name }) => name === names.channel) }
}

/** Of an object, or of a list, whose members are named by their places. */
export function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
  return (value as Readonly<Record<string, unknown>>)[member]
}
