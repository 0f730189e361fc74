import type { Device, DeviceChannel } from '@patchbay/contracts/devices'
import {
  DEVICE_PANELS,
  type DeviceBindings,
  type DevicePanelKind,
  type DeviceRole,
  MOST_BOUND,
} from '@patchbay/contracts/panels'
import { type ChannelAddress, findChannel, isAddress } from '../../devices/addresses.ts'
import type { Range } from '../../instruments/zones.ts'
import type { PanelState } from '../../panel-definition.ts'

/** Which channels can play a part, and which are proposed for it. */
export interface Match {
  /** Whether it is told something; otherwise it is only read. */
  readonly isCommand: boolean
  readonly platform?: readonly DeviceChannel['platform'][]
  /** Of the channel: the surest sign. */
  readonly names: RegExp
  readonly deviceClass?: string
  /** With another unit it is something else, whatever its name. A device that describes nothing says no units. */
  readonly units?: readonly string[]
  readonly isOptional?: true
}

export type Binds<Kind extends DevicePanelKind> = Readonly<Record<DeviceRole<Kind>, Match>>

/** A channel in its part: with what the device says of it, and what is not said filled in. */
export interface Bound {
  readonly address: ChannelAddress
  readonly device: Device | undefined
  readonly channel: DeviceChannel | undefined
  readonly label: string
  readonly unit: string | undefined
  readonly range: Range | undefined
  readonly step: number | undefined
  /** Decimals that tell something, by the step. */
  readonly precision: number | undefined
  readonly options: readonly string[]
  /** One member of its objects or lists stands for all of it. */
  readonly member?: string
  /** What is told to the channel for a value of the member. */
  readonly wrap?: (value: number | string | boolean) => Readonly<Record<string, number | string | boolean>>
}

export type BoundRoles<Kind extends DevicePanelKind> = {
  readonly [Role in DeviceRole<Kind>]: (typeof DEVICE_PANELS)[Kind][Role] extends { isSeveral: true }
    ? readonly Bound[]
    : Bound | undefined
}

export interface RoleOf {
  readonly name: string
  readonly title: string
  readonly isSeveral: boolean
  readonly match: Match
}

export function rolesOf(kind: DevicePanelKind, binds: Readonly<Record<string, Match>>): readonly RoleOf[] {
  const roles: Readonly<Record<string, { title: string; isSeveral?: true }>> = DEVICE_PANELS[kind]
  return Object.entries(roles).flatMap(([name, { title, isSeveral = false }]) => {
    const match = binds[name]
    return match === undefined ? [] : [{ name, title, isSeveral, match }]
  })
}

/** What the state binds; anything that is no address is left out. */
export function bindingsOf(state: PanelState): Readonly<Record<string, readonly ChannelAddress[]>> {
  const { bindings } = state as { bindings?: DeviceBindings }
  return Object.fromEntries(
    Object.entries(bindings ?? {}).flatMap(([role, bound]) => {
      const addresses = (typeof bound === 'string' ? [bound] : bound).filter(isAddress)
      return addresses.length === 0 ? [] : [[role, addresses.slice(0, MOST_BOUND)]]
    }),
  )
}

/** Whether a channel can play a part at all. */
export function isEligible({ isCommand, platform, units }: Match, channel: DeviceChannel): boolean {
  if (isCommand ? !channel.takesCommands : channel.platform === 'button') return false
  if (platform !== undefined && !platform.includes(channel.platform)) return false
  return units === undefined || channel.unit === null || units.includes(channel.unit)
}

/** How sure it is that a channel is meant; 0: it is not. */
export function scoreOf(match: Match, channel: DeviceChannel): number {
  if (!isEligible(match, channel)) return 0
  const isNamed = match.names.test(channel.name)
  const isOfClass = match.deviceClass !== undefined && match.deviceClass === channel.deviceClass
  return (isNamed ? 4 : 0) + (isOfClass ? 2 : 0) + (!match.isCommand && channel.takesCommands ? -1 : 0)
}

/** The channels of a device that fit the parts of a panel. `undefined`: a part that the panel needs stays empty. */
export function propose(roles: readonly RoleOf[], device: Device): DeviceBindings | undefined {
  const taken = new Set<string>()
  const bindings: Record<string, string | string[]> = {}
  for (const { name, isSeveral, match } of roles) {
    const fitting = device.channels
      .filter((channel) => !taken.has(channel.name))
      .map((channel) => ({ channel, score: scoreOf(match, channel) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ channel }) => channel.name)
    const chosen = fitting.slice(0, isSeveral ? MOST_BOUND : 1)
    if (chosen.length === 0 && match.isOptional !== true) return undefined
    for (const channel of chosen) taken.add(channel)
    const addresses = inOrder(device, chosen).map((channel) => `${device.name}/${channel}`)
    if (isSeveral && addresses.length > 0) bindings[name] = addresses
    else if (addresses[0] !== undefined) bindings[name] = addresses[0]
  }
  return bindings
}

/** As the device lists them: pin 2 comes before pin 10. */
function inOrder({ channels }: Device, names: readonly string[]): string[] {
  return channels.map(({ name }) => name).filter((name) => names.includes(name))
}

/** Every part with its channels, for the view of a panel. */
export function resolve(
  roles: readonly RoleOf[],
  bindings: Readonly<Record<string, readonly ChannelAddress[]>>,
  devices: readonly Device[],
): Readonly<Record<string, Bound | readonly Bound[] | undefined>> {
  const names = new Set(
    Object.values(bindings)
      .flat()
      .map((address) => address.split('/')[0]),
  )
  return Object.fromEntries(
    roles.map(({ name, isSeveral }) => {
      const bound = (bindings[name] ?? []).map((address) => boundOf(address, devices, names.size > 1))
      return [name, isSeveral ? bound : bound[0]]
    }),
  )
}

function boundOf(address: ChannelAddress, devices: readonly Device[], isOfSeveral: boolean): Bound {
  const { device, channel } = findChannel(devices, address)
  const title = channel?.title ?? address
  const { min = null, max = null, step = null } = channel ?? {}
  return {
    address,
    device,
    channel,
    label: isOfSeveral && device !== undefined ? `${device.title}: ${title}` : title,
    unit: channel?.unit ?? undefined,
    range: min !== null && max !== null && max > min ? { min, max } : undefined,
    step: step ?? undefined,
    precision: step === null ? undefined : Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)),
    options: channel?.options ?? [],
  }
}
