import { expect, test } from 'vitest'
import { RegistrationRate } from '../src/registration-rate.ts'

test('[B-46] an address registers as often as it may a minute, and is forgotten when it has rested', () => {
  const pace = new RegistrationRate(60)
  const passed = (times: number, now: number) =>
    Array.from({ length: times }, () => pace.allows('203.0.113.1', now)).filter(Boolean).length
  expect(passed(100, 0)).toBe(60)
  expect(passed(10, 999)).toBe(0)
  expect(passed(10, 1_000)).toBe(1)
  expect(pace.allows('203.0.113.2', 1_000)).toBe(true)
  pace.forget(30_000)
  expect(passed(100, 30_000)).toBe(29)
  pace.forget(90_001)
  expect(passed(100, 90_001)).toBe(60)
})
