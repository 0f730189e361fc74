import type { DeviceValue } from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'

/** What some time has brought of one number. */
export interface Rollup {
  readonly series: string
  /** When its second began. */
  readonly at: number
  min: number
  max: number
  mean: number
  last: number
  count: number
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Sums and quotients of more, or of less, would be refused by the database, for everybody's numbers at once. */
const GREATEST = 1e100
const LEAST = 1e-100

/** A line of numbers, named by its device, channel and member. */
export const seriesKey = (device: number, channel: string, member: string) =>
  `${device}\t${channel}\t${member}`

export function seriesOf(key: string): { device: number; channel: string; member: string } {
  const [device = '', channel = '', member = ''] = key.split('\t')
  return { device: Number(device), channel, member }
}

/** The numbers of a value: itself, or the members of an object. Lists are in recordings alone. */
export function numbersOf(value: DeviceValue): readonly (readonly [member: string, number: number])[] {
  if (typeof value === 'number') return Math.abs(value) <= GREATEST ? [['', clean(value)]] : []
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const found: [string, number][] = []
  for (const [member, each] of Object.entries(value)) {
    if (typeof each !== 'number' || !(Math.abs(each) <= GREATEST)) continue
    // Such a name could not be told from the rest of the key, and PostgreSQL takes no zero.
    if (/[\t\0]/.test(member) || member === '') continue
    found.push([member, clean(each)])
    if (found.length === RECORDING_LIMITS.seriesMembers) break
  }
  return found
}

function clean(value: number): number {
  return Math.abs(value) < LEAST ? 0 : value
}

export interface Rollups {
  add(series: string, value: number, at: number): void
  /** Those of seconds that are over. */
  takeUntil(second: number): Rollup[]
}

/** One second of each number at a time. A clock that was set back goes on in the second that it was in. */
export function createRollups(): Rollups {
  const open = new Map<string, Rollup>()
  let over: Rollup[] = []
  return {
    add(series, value, at) {
      const second = Math.floor(at / SECOND_MS) * SECOND_MS
      const known = open.get(series)
      if (known === undefined || known.at < second) {
        if (known !== undefined) over.push(known)
        open.set(series, { series, at: second, min: value, max: value, mean: value, last: value, count: 1 })
        return
      }
      known.min = Math.min(known.min, value)
      known.max = Math.max(known.max, value)
      known.count += 1
      known.mean += (value - known.mean) / known.count
      known.last = value
    },
    takeUntil(second) {
      for (const [series, rollup] of open) {
        if (rollup.at >= second) continue
        over.push(rollup)
        open.delete(series)
      }
      const taken = over
      over = []
      return taken
    },
  }
}

export type Base = 'seconds' | 'minutes' | 'hours'
export const BASE_MS = { seconds: SECOND_MS, minutes: MINUTE_MS, hours: HOUR_MS } as const

export interface KeptFor {
  readonly secondsMs: number
  readonly minutesMs: number
}

/** Longer times are read from coarser points: an answer is made of less than a million rows. */
const MOST_SECONDS_MS = 6 * HOUR_MS
const MOST_MINUTES_MS = 14 * DAY_MS

/** The finest that is still there for this time and needs no more points than were asked for. */
export function resolutionFor(
  { from, to, points }: { readonly from: number; readonly to: number; readonly points: number },
  { secondsMs, minutesMs }: KeptFor,
  now: number,
): { readonly base: Base; readonly stepMs: number } {
  const range = to - from
  const step = range / points
  let base: Base = 'seconds'
  if (step >= MINUTE_MS || range > MOST_SECONDS_MS || from < now - secondsMs) base = 'minutes'
  if (step >= HOUR_MS || range > MOST_MINUTES_MS || from < now - minutesMs) base = 'hours'
  const unit = BASE_MS[base]
  // The first point may begin before `from`.
  const stepMs = Math.ceil((to - Math.floor(from / unit) * unit) / points / unit) * unit
  return { base, stepMs: Math.max(stepMs, unit) }
}
