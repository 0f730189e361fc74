import type { HistoryPoint } from '@patchbay/contracts/devices'
import { expect, test } from 'vitest'
import type { Tile } from '../../src/workspace/devices/recorded-tiles.ts'
import { pointsIn, valueAt } from '../../src/workspace/devices/tile-values.ts'
import { addressAt, momentIn } from '../../src/workspace/replay.ts'

const FROM = 1_000_000

function tile(values: Tile['values'], members: Readonly<Record<string, readonly HistoryPoint[]>> = {}): Tile {
  return {
    from: FROM,
    to: FROM + 30_000,
    values,
    members: new Map(Object.entries(members)),
    stepMs: 1_000,
    askedAt: FROM + 60_000,
  }
}

/** A second with one value, or from the least to the greatest. */
const second = (at: number, last: number, min = last, max = last): HistoryPoint => [
  FROM + at,
  min,
  max,
  (min + max) / 2,
  last,
  min === max ? 1 : 2,
]

test('[W-780] a channel is what was recorded last until the moment, and nothing that came later', () => {
  const recorded = tile([
    { at: FROM - 500, value: 'off' },
    { at: FROM + 2_000, value: 'on' },
    { at: FROM + 2_000, value: 'hot' },
  ])
  expect(valueAt(recorded, FROM + 1_999)).toEqual({ at: FROM - 500, value: 'off' })
  expect(valueAt(recorded, FROM + 2_000)).toEqual({ at: FROM + 2_000, value: 'hot' })
  expect(valueAt(recorded, FROM - 501)).toBeUndefined()
  expect(valueAt(tile([]), FROM)).toBeUndefined()
})

test('[W-780] numbers that were not recorded count once their second is over, also members of objects', () => {
  const kept = tile([], { '': [second(0, 4), second(1_000, 7)] })
  expect(valueAt(kept, FROM + 999)).toBeUndefined()
  expect(valueAt(kept, FROM + 1_999)).toEqual({ at: FROM + 1_000, value: 4 })
  expect(valueAt(kept, FROM + 2_000)).toEqual({ at: FROM + 2_000, value: 7 })
  const pose = tile([], { x: [second(0, 1)], y: [second(0, 2)] })
  expect(valueAt(pose, FROM + 1_000)).toEqual({ at: FROM + 1_000, value: { x: 1, y: 2 } })
})

test('[W-780] of what was recorded and what is kept, the newer is shown', () => {
  const both = tile([{ at: FROM + 300, value: 4.5 }], { '': [second(0, 4.5), second(5_000, 9)] })
  expect(valueAt(both, FROM + 1_000)).toEqual({ at: FROM + 300, value: 4.5 })
  // Recording was stopped in between.
  expect(valueAt(both, FROM + 6_000)).toEqual({ at: FROM + 6_000, value: 9 })
})

test('[W-788] a plot has recorded values where there are some, and the peaks of each second elsewhere', () => {
  const part = tile(
    [
      { at: FROM - 100, value: 0 },
      { at: FROM + 2_100, value: 2.1 },
      { at: FROM + 2_600, value: 2.6 },
    ],
    { '': [second(-1_000, 0), second(0, 1, 0, 3), second(2_000, 2.6, 2.1, 2.6), second(4_000, 4)] },
  )
  expect(pointsIn(part, '')).toEqual([
    [FROM, 3],
    [FROM + 500, 0],
    [FROM + 999, 1],
    [FROM + 2_100, 2.1],
    [FROM + 2_600, 2.6],
    [FROM + 4_000, 4],
  ])
  const lists = tile([{ at: FROM, value: [5, 'x', 7] }])
  expect(pointsIn(lists, '2')).toEqual([[FROM, 7]])
  expect(pointsIn(lists, '1')).toEqual([])
})

test('[W-785] the address names the moment, and what is no time is none', () => {
  const at = Date.UTC(2026, 4, 3, 12, 30, 5, 250)
  const address = addressAt('https://patchbay.example/workspaces/ada/bench?x=1', at)
  expect(address).toBe('https://patchbay.example/workspaces/ada/bench?x=1&at=2026-05-03T12:30:05.250Z')
  expect(momentIn(new URL(address).search)).toBe(at)
  expect(addressAt(address, undefined)).toBe('https://patchbay.example/workspaces/ada/bench?x=1')
  for (const wrong of ['', 'at=', 'at=now', 'at=May', 'at=1750000000', 'at=2026-99-99T00:00:00Z', 'at=<b>'])
    expect(momentIn(`?${wrong}`)).toBeUndefined()
})
