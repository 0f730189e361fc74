import { expect, test } from 'vitest'
import { requireOnce } from '../src/panels/measure.ts'

test('[BN-31] actions that were lost or repeated are no round trips', () => {
  expect(() => requireOnce('server', 10, 10, 0)).not.toThrow()
  expect(() => requireOnce('server', 10, 9, 0)).toThrow(/9 of 10/)
  expect(() => requireOnce('server', 10, 11, 1)).toThrow(/again/)
})
