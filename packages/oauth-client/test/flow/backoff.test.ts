import { expect, test } from 'vitest'
import { reconnectDelayMs } from '../../src/flow/gateway-link.ts'

test('[B-430] the first attempt comes within a quarter of a second', () => {
  expect(reconnectDelayMs(0, 0)).toBe(0)
  expect(reconnectDelayMs(0, 1)).toBe(250)
})

test('[B-430] later ones come ever more slowly, spread by half, and never more than 5 s apart', () => {
  const spread = (attempt: number) => [reconnectDelayMs(attempt, 0), reconnectDelayMs(attempt, 1)]
  expect([1, 2, 3, 4, 5, 6].map(spread)).toEqual([
    [250, 500],
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [2_500, 5_000],
    [2_500, 5_000],
  ])
  expect(spread(2_000)).toEqual([2_500, 5_000])
})
