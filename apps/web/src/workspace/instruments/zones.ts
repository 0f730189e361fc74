import { words } from './words.ts'

export type ZoneTone = 'ok' | 'warning' | 'danger'

/** A part of a range that means something. */
export interface Zone {
  readonly from: number
  readonly to: number
  readonly tone: ZoneTone
  /** What a value in it means; otherwise the word for its tone. */
  readonly name?: string
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** How far along the range a value is, from 0 to 1: what lies outside stays at the end. */
export function shareOf(value: number, { min, max }: Range): number {
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0
}

/** From where to where a value fills the range: from 0 where the range has both signs, otherwise from its beginning. */
export function filledTo(value: number, range: Range): readonly [from: number, to: number] {
  const ends = [range.min < 0 && range.max > 0 ? shareOf(0, range) : 0, shareOf(value, range)] as const
  return ends[0] <= ends[1] ? ends : [ends[1], ends[0]]
}

/** Where two zones meet, the later one counts: that is where its limit is reached. */
export function zoneOf(value: number, zones: readonly Zone[]): Zone | undefined {
  return zones.findLast(({ from, to }) => value >= from && value <= to)
}

/** What a place on the scale means, where it means something. */
export function meaningOf(value: number, range: Range, zones: readonly Zone[]): string | undefined {
  if (value < range.min) return words.zones.below
  if (value > range.max) return words.zones.above
  const zone = zoneOf(value, zones)
  return zone === undefined ? undefined : (zone.name ?? words.zones[zone.tone])
}
