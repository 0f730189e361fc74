import { expect, test } from 'vitest'
import { filledTo } from '../../src/workspace/instruments/zones.ts'

test('[W-703] where a range has both signs the fill begins at 0, and ends at the value on either side', () => {
  const current = { min: -25, max: 25 }
  expect(filledTo(0, current)).toEqual([0.5, 0.5])
  expect(filledTo(12.5, current)).toEqual([0.5, 0.75])
  expect(filledTo(-12.5, current)).toEqual([0.25, 0.5])
  expect(filledTo(100, current)).toEqual([0.5, 1])
})

test('[W-703] otherwise it begins at the beginning of the range', () => {
  expect(filledTo(50, { min: 0, max: 100 })).toEqual([0, 0.5])
  expect(filledTo(30, { min: 20, max: 40 })).toEqual([0, 0.5])
  expect(filledTo(-30, { min: -40, max: -20 })).toEqual([0, 0.5])
})
