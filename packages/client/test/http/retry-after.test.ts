import { expect, test } from 'vitest'
import { backoffMs } from '../../src/http/pause.ts'
import { retryAfterMs } from '../../src/http/retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

test.each([
  [null, 0],
  ['0', 0],
  ['3', 3_000],
  [' 3 ', 3_000],
  ['86400', 60_000],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
  ['Thu, 01 Jan 2026 09:00:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
])('[CL-17] Retry-After %j asks for %d ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected)
})

test('[CL-15] pauses grow up to a bound and differ between clients', () => {
  expect([0, 1, 2, 3, 4, 5, 500].map((attempt) => backoffMs(attempt, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ])
  expect(backoffMs(3, 0)).toBe(2_000)
})
