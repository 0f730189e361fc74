import type { DeviceChannel, DeviceValue } from '@patchbay/contracts/devices'
import type { ChannelBinding } from './info.ts'

/** What a device is told on `<channel>/set`. */
export interface Command {
  readonly id: string
  readonly value: DeviceValue
  /** Milliseconds since 1970; a device with a clock leaves out what comes later. */
  readonly deadline: number
}

export interface Acknowledgement {
  readonly id: string
  readonly status: 'done' | 'refused' | 'failed'
  readonly message: string | null
}

/** Devices that announce themselves to Home Assistant get the bare value that they expect. */
export function writeCommand(channel: ChannelBinding, command: Command): string {
  if (channel.isConfirming) return JSON.stringify(command)
  const { value } = command
  if (typeof value === 'boolean') return value ? channel.payloadOn : channel.payloadOff
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `undefined`: no command. For what runs on a device. */
export function readCommand(text: string): Command | undefined {
  try {
    const { id, value, deadline } = JSON.parse(text) as Partial<Command>
    if (typeof id !== 'string' || value === undefined) return undefined
    return { id, value, deadline: typeof deadline === 'number' ? deadline : Number.POSITIVE_INFINITY }
  } catch {
    return undefined
  }
}

const STATUSES = ['done', 'refused', 'failed'] as const

export function readAcknowledgement(text: string): Acknowledgement | undefined {
  try {
    const { id, status, message } = JSON.parse(text) as Record<string, unknown>
    const known = STATUSES.find((each) => each === status)
    if (typeof id !== 'string' || known === undefined) return undefined
    return { id, status: known, message: typeof message === 'string' ? message.slice(0, 200) : null }
  } catch {
    return undefined
  }
}

/** Why a channel does not take a value, in words; `undefined`: it does. */
export function commandFault(
  { platform, title, min, max, options }: DeviceChannel,
  value: DeviceValue,
): string | undefined {
  const takes = (what: string | undefined) => (what === undefined ? undefined : `"${title}" takes ${what}.`)
  if (platform === 'number') return takes(numberFault(value, min, max))
  if (platform === 'switch') return takes(typeof value === 'boolean' ? undefined : 'true or false')
  if (platform === 'text') return takes(typeof value === 'string' ? undefined : 'text')
  if (platform !== 'select') return undefined
  const isOption = typeof value === 'string' && (options ?? [value]).includes(value)
  return takes(isOption ? undefined : `one of ${(options ?? []).join(', ')}`)
}

function numberFault(value: DeviceValue, min: number | null, max: number | null): string | undefined {
  if (typeof value !== 'number') return 'a number'
  if (min !== null && value < min) return `${min} at least`
  return max !== null && value > max ? `${max} at most` : undefined
}

/** What a value on the wire means on this channel. `undefined`: nothing of it. */
export function valueOf(channel: ChannelBinding, value: DeviceValue): DeviceValue | undefined {
  if (channel.member !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const member = (value as Readonly<Record<string, DeviceValue>>)[channel.member]
    return member === undefined ? undefined : asTruth(channel, member)
  }
  return asTruth(channel, value)
}

function asTruth({ platform, payloadOn, payloadOff }: ChannelBinding, value: DeviceValue): DeviceValue {
  if (platform !== 'switch' && platform !== 'binary_sensor') return value
  const text = typeof value === 'number' ? String(value) : value
  if (text === payloadOn || value === 1) return true
  return text === payloadOff || value === 0 ? false : value
}
