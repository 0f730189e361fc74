import type { HistoryPoint } from '@patchbay/contracts/devices'
import { memberOf } from './addresses.ts'
import type { Tile, TimedValue } from './recorded-tiles.ts'

/**
 * What a channel was at a moment: what was recorded last until then, or the numbers that are kept without a recording,
 * whichever is newer. Nothing of what came later.
 */
export function valueAt({ values, members, stepMs }: Tile, at: number): TimedValue | undefined {
  const recorded = values[lastUntil(values, (value) => value.at, at)]
  const numbers: Record<string, number> = {}
  let since = -Infinity
  let until = -Infinity
  for (const [member, points] of members) {
    // Of a second that is not over nobody knows whether its last value came before or after.
    const point = points[lastUntil(points, ([begin]) => begin + stepMs, at)]
    if (point === undefined) continue
    const [begin, , , , last] = point
    numbers[member] = last
    since = Math.max(since, begin)
    until = Math.max(until, begin + stepMs)
  }
  if (since === -Infinity || (recorded !== undefined && recorded.at >= since)) return recorded
  const { '': bare } = numbers
  return { value: bare ?? numbers, at: until }
}

/** The index of the last that is not later, or -1. */
function lastUntil<Item>(items: readonly Item[], timeOf: (item: Item) => number, at: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && timeOf(item) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

export type Point = readonly [time: number, value: number]

/** The numbers of a tile for a plot: recorded ones where there are some, before and after them those that are kept. */
export function pointsIn({ from, to, values, members, stepMs }: Tile, member: string): Point[] {
  const recorded = values.flatMap(({ value, at }): Point[] => {
    const number = member === '' ? value : memberOf(value, member)
    return at >= from && at < to && typeof number === 'number' ? [[at, number]] : []
  })
  const kept = (members.get(member) ?? []).filter(([begin]) => begin >= from && begin < to)
  const first = recorded[0]?.[0] ?? Infinity
  const last = recorded.at(-1)?.[0] ?? Infinity
  return [
    ...kept.filter(([begin]) => begin + stepMs <= first).flatMap((point) => drawn(point, stepMs)),
    ...recorded,
    ...kept.filter(([begin]) => begin > last).flatMap((point) => drawn(point, stepMs)),
  ]
}

/** A peak stays: the least and the greatest are drawn, in the order that leads to the last. */
function drawn([begin, min, max, , last, count]: HistoryPoint, stepMs: number): Point[] {
  if (count === 1 || min === max) return [[begin, last]]
  const [one, other] = last - min > max - last ? [min, max] : [max, min]
  return [
    [begin, one],
    [begin + stepMs / 2, other],
    [begin + stepMs - 1, last],
  ]
}
