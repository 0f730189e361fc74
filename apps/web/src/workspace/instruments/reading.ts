/** What an instrument shows: a value and whether it may be believed. */
export interface Reading {
  readonly value: number | string | boolean | Readonly<Record<string, unknown>> | readonly unknown[] | null
  /** When it was measured, in milliseconds. */
  readonly at: number
  /**
   * `none`: there was none yet. Of a moment that is past: `past` is the value of then, `absent` says that there was none, and
   * `loading` that it is not known yet.
   */
  readonly state: 'live' | 'stale' | 'offline' | 'none' | 'past' | 'absent' | 'loading'
}

export type ReadingState = Reading['state']

/** What is there before the first value. */
export const NO_READING: Reading = { value: null, at: 0, state: 'none' }

/** The number to draw; none where there is no value yet, or one that is no number. */
export function numberOf({ value, state }: Reading): number | undefined {
  return state !== 'none' && typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The named numbers of a value, such as the angles of an orientation. */
export function numbersOf({ value, state }: Reading): Readonly<Record<string, number>> {
  if (state === 'none' || value === null || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  )
}

/** With as many decimals as were asked for; without, as many as tell something. */
export function formatNumber(value: number, precision?: number): string {
  return value.toLocaleString(
    'en',
    precision === undefined
      ? { maximumSignificantDigits: 6 }
      : { minimumFractionDigits: precision, maximumFractionDigits: precision },
  )
}

/** With its unit, where it has one. */
export function formatQuantity(value: number, unit?: string, precision?: number): string {
  const number = formatNumber(value, precision)
  return unit === undefined || unit === '' ? number : `${number} ${unit}`
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export function formatTime(at: number): string {
  return CLOCK.format(at)
}
