import type { DeviceScalar, DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'

export interface Payload {
  readonly value: DeviceValue
  /** Milliseconds since 1970, where the device says when it was. */
  readonly at?: number
}

const decoder = new TextDecoder('utf-8', { fatal: true })
/** Times before this are of a device that does not know what time it is. */
const FIRST_CREDIBLE_MS = Date.UTC(2020, 0, 1)
const CONTROL = /(?![\t\n\r])\p{Cc}/u

/**
 * A bare number, text, or flat JSON, with `ts` in seconds or milliseconds where the device has a clock. `undefined`: nothing
 * that a panel could show, such as bytes, nested JSON, or more than the limits allow.
 */
export function readPayload(bytes: Uint8Array): Payload | undefined {
  if (bytes.byteLength > DEVICE_LIMITS.valueBytes) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return undefined
  }
  const trimmed = text.trim()
  if (trimmed === '' || CONTROL.test(trimmed)) return undefined
  const parsed = parse(trimmed)
  if (isScalar(parsed)) return { value: parsed }
  if (Array.isArray(parsed))
    return parsed.every(isScalar) && fits(parsed.length) ? { value: parsed } : undefined
  return readObject(Object.entries(parsed))
}

function readObject(entries: readonly (readonly [string, unknown])[]): Payload | undefined {
  const at = timeOf(entries.find(([name]) => name === 'ts')?.[1])
  const members = entries.filter(([name]) => name !== 'ts')
  if (members.length === 0 || !fits(members.length)) return undefined
  const [first] = members
  const time = at === undefined ? {} : { at }
  // `{"ts": …, "value": 21.5}` is a number with its time, and not an object.
  if (members.length === 1 && first?.[0] === 'value') {
    const value = first[1]
    if (isScalar(value)) return { value, ...time }
    return Array.isArray(value) && value.every(isScalar) && fits(value.length)
      ? { value, ...time }
      : undefined
  }
  const flat: [string, DeviceScalar][] = []
  for (const [name, value] of members) {
    if (!isScalar(value) || name.length > 48 || name === '__proto__') return undefined
    flat.push([name, value])
  }
  return { value: Object.fromEntries(flat), ...time }
}

function parse(text: string): DeviceScalar | readonly unknown[] | object {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isScalar(parsed) || (typeof parsed === 'object' && parsed !== null)) return parsed
  } catch {
    // Text, as most devices send it.
  }
  return /^(?:nan|[+-]?inf|[+-]?infinity)$/i.test(text) ? null : text
}

function isScalar(value: unknown): value is DeviceScalar {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

const fits = (count: number) => count <= DEVICE_LIMITS.members

function timeOf(ts: unknown): number | undefined {
  if (typeof ts !== 'number' || !Number.isFinite(ts)) return undefined
  const ms = Math.round(ts < 1e11 ? ts * 1000 : ts)
  return ms >= FIRST_CREDIBLE_MS && ms <= 8.64e15 ? ms : undefined
}
