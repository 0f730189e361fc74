import { expect, test } from 'vitest'
import { requireArrived } from '../src/devices/delivery.ts'
import { requireAll } from '../src/devices/recording.ts'
import { requireRate } from '../src/devices/stopping.ts'
import { requireHeld } from '../src/memory.ts'

test('[BN-61] what is not there afterwards was not recorded', () => {
  expect(() => requireAll('recorder', 10, 10)).not.toThrow()
  expect(() => requireAll('recorder', 9, 10)).toThrow('recorder: 9 instead of 10')
  expect(() => requireAll('recorder', 11, 10)).toThrow('recorder: 11 instead of 10')
})

test('[BN-63] what was left out, lost or not taken fails the measurement', () => {
  const arrived = (values: number) => ({ values, messages: 1, p50Ms: 1, p99Ms: 1, lastAt: 1 })
  expect(() => requireArrived('calm', { sent: 1_000, arrived: arrived(900) })).not.toThrow()
  for (const values of [899, 1_001])
    expect(() => requireArrived('calm', { sent: 1_000, arrived: arrived(values) })).toThrow(
      `calm: ${values} of 1000 values arrived`,
    )
  expect(() => requireHeld(3_999, 4_000)).toThrow('3999 are open instead of 4000')
  expect(() => requireRate(10_000, 9_500)).not.toThrow()
  expect(() => requireRate(10_000, 8_000)).toThrow('8000 values a second instead of 10000')
  expect(() => requireRate(10_000, Number.NaN)).toThrow()
})
