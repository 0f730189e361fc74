import { CHANNEL_NAME_PATTERN, type DeviceScalar, type DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { commandFault, valueOf, writeCommand } from './command.ts'
import { type ChannelBinding, type DeviceInfo, guessChannel, readInfo } from './info.ts'
import { readPayload } from './payload.ts'
import { INFO, STOP } from './topics.ts'

/** A line of text as it came. */
export interface SerialText {
  readonly text: string
  /** It was longer than lines may be, or bytes of it were lost; a part is gone, and it says nothing. */
  readonly isCut: boolean
}

export interface SerialValue {
  readonly channel: string
  readonly value: DeviceValue
  /** Milliseconds since 1970, where the board says when it was. */
  readonly at?: number
}

export interface SerialInput {
  readonly lines: readonly SerialText[]
  /** The newest of each channel. */
  readonly values: readonly SerialValue[]
  /** There are other channels than before, or they are described in another way. */
  readonly isDescribed: boolean
  /** How long to read nothing, so that a board that floods holds up nobody but itself. */
  readonly waitMs: number
}

/** What a board on a serial line has said so far, and how it is told something. */
export interface SerialBoard {
  /** `now`: milliseconds of any clock that does not go back. */
  take(bytes: Uint8Array, now: number): SerialInput
  /** Bytes were lost: the line that is under way says nothing. What follows would be read as its end. */
  lose(): void
  /** The beginning of a line whose end has not come yet, such as a prompt. */
  pending(): string
  info(): DeviceInfo | undefined
  channels(): readonly ChannelBinding[]
  /** The line that tells a channel a value, or why there is none. */
  write(channel: string, value: DeviceValue): { readonly line: string } | { readonly fault: string }
}

/** Fast enough for 921,600 baud. */
export const SERIAL_BYTES_PER_SECOND = 128 * 1_024
/** A self-description is the longest that a board may say. */
const LONGEST_LINE = DEVICE_LIMITS.infoBytes
const LINE_FEED = 10
const RETURN = 13

/** What is sent for an emergency stop, and its release. It begins with a line end: half a line may have been sent before. */
export function writeStop(isStopped: boolean): string {
  return `\n${STOP}=${isStopped}\n`
}

export function createSerialBoard(): SerialBoard {
  const line = new Uint8Array(LONGEST_LINE)
  let length = 0
  let isCut = false
  let isAfterReturn = false
  let info: DeviceInfo | undefined
  let channels = new Map<string, ChannelBinding>()
  let left: number = SERIAL_BYTES_PER_SECOND
  let lookedAt: number | undefined

  function split(bytes: Uint8Array): SerialText[] {
    const lines: SerialText[] = []
    for (const byte of bytes) {
      const isEnd = byte === LINE_FEED || byte === RETURN
      if (isEnd && !(byte === LINE_FEED && isAfterReturn)) {
        lines.push({ text: textOf(line.subarray(0, length)), isCut })
        length = 0
        isCut = false
      } else if (!isEnd) {
        if (length < LONGEST_LINE) line[length++] = byte
        else isCut = true
      }
      isAfterReturn = byte === RETURN
    }
    return lines
  }

  function describe(text: string): boolean {
    const read = readInfo(text)
    if (read === undefined) return false
    info = read
    // A board says on the line of values what it does; there is no acknowledgement.
    channels = new Map(read.channels.map((channel) => [channel.name, { ...channel, isConfirming: false }]))
    return true
  }

  function channelOf({ channel: name, value }: SerialValue): ChannelBinding | undefined {
    const known = channels.get(name)
    // A board that has described itself has the channels that it names.
    if (known !== undefined || (info?.channels.length ?? 0) > 0) return known
    return channels.size < DEVICE_LIMITS.channels ? guessChannel(name, value) : undefined
  }

  function waitAfter(bytes: number, now: number): number {
    const gained = ((now - (lookedAt ?? now)) / 1_000) * SERIAL_BYTES_PER_SECOND
    lookedAt = now
    left = Math.min(SERIAL_BYTES_PER_SECOND, left + gained) - bytes
    return left >= 0 ? 0 : (-left / SERIAL_BYTES_PER_SECOND) * 1_000
  }

  return {
    take(bytes, now) {
      const lines = split(bytes)
      const values = new Map<string, SerialValue>()
      let isDescribed = false
      for (const { text, isCut: isHalf } of lines) {
        const description = isHalf ? undefined : descriptionIn(text)
        if (description !== undefined) isDescribed = describe(description) || isDescribed
        for (const said of isHalf || description !== undefined ? [] : readSerialLine(text)) {
          const channel = channelOf(said)
          const value = channel === undefined ? undefined : valueOf(channel, said.value)
          if (channel === undefined || value === undefined) continue
          isDescribed ||= !channels.has(channel.name)
          channels.set(channel.name, channel)
          values.set(channel.name, { ...said, value })
        }
      }
      return { lines, values: [...values.values()], isDescribed, waitMs: waitAfter(bytes.length, now) }
    },
    lose() {
      isCut = true
    },
    pending: () => textOf(line.subarray(0, length)),
    info: () => info,
    channels: () => [...channels.values()],
    write(name, value) {
      const channel = channels.get(name)
      if (channel?.takesCommands !== true) return { fault: `"${channel?.title ?? name}" takes no commands.` }
      const text = writeCommand(channel, { id: '', value, deadline: 0 })
      const fault = commandFault(channel, value)
      if (fault !== undefined) return { fault }
      // What follows a line end would be a command of its own, to a channel that nobody has asked about.
      if (BREAKS_THE_LINE.test(text)) return { fault: `"${channel.title}" takes one line of text.` }
      if (text.length > DEVICE_LIMITS.valueBytes) return { fault: `"${channel.title}" takes less at once.` }
      return { line: `${name}=${text}\n` }
    },
  }
}

const BREAKS_THE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u
const isChannel = new RegExp(CHANNEL_NAME_PATTERN)
const decoder = new TextDecoder()
const encoder = new TextEncoder()
const textOf = (bytes: Uint8Array) => decoder.decode(bytes)

function descriptionIn(text: string): string | undefined {
  return text.startsWith(INFO) && /^[=:]/.test(text.slice(INFO.length))
    ? text.slice(INFO.length + 1)
    : undefined
}

/**
 * The values in a line: flat JSON (`{"speed": 3}`), what the plotter of the Arduino IDE draws (`speed:3, angle:90`, bare
 * numbers too), or `mode=fast`. Any other line says nothing.
 */
export function readSerialLine(text: string): readonly SerialValue[] {
  const line = text.trim()
  if (line === '' || line.length > DEVICE_LIMITS.valueBytes) return []
  if (line.startsWith('{')) return readMembers(line)
  return readNumbers(line) ?? readAssignment(line)
}

function readMembers(line: string): SerialValue[] {
  const read = readPayload(encoder.encode(line))
  if (read === undefined || typeof read.value !== 'object' || read.value === null) return []
  // `{"ts": …, "value": 3}` is read as the value itself.
  if (Array.isArray(read.value)) return []
  const time = read.at === undefined ? {} : { at: read.at }
  return Object.entries(read.value as Readonly<Record<string, DeviceScalar>>)
    .filter(([channel]) => isChannel.test(channel))
    .slice(0, DEVICE_LIMITS.channels)
    .map(([channel, value]) => ({ channel, value, ...time }))
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`
/** A label begins with a letter: `12:30` is a time, and no channel. */
const ITEM = new RegExp(`^(?:([A-Za-z_][A-Za-z0-9_.-]{0,47})[:=])?(${NUMBER}|true|false|nan)$`)

function readNumbers(line: string): SerialValue[] | undefined {
  const items = line
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([:=]) ?/g, '$1')
    .split(/[,;] ?| /)
  const values: SerialValue[] = []
  for (const [at, item] of items.slice(0, DEVICE_LIMITS.channels).entries()) {
    const read = ITEM.exec(item)
    if (read === null) return undefined
    values.push({ channel: read[1] ?? `value_${at + 1}`, value: scalarOf(read[2] ?? '') })
  }
  return values
}

function scalarOf(text: string): DeviceScalar {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function readAssignment(line: string): SerialValue[] {
  const at = line.indexOf('=')
  const channel = line.slice(0, Math.max(0, at)).trim()
  const read = isChannel.test(channel) ? readPayload(encoder.encode(line.slice(at + 1))) : undefined
  if (read === undefined) return []
  return [{ channel, value: read.value, ...(read.at !== undefined && { at: read.at }) }]
}
