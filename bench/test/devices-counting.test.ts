import { expect, test } from 'vitest'
import { requireAll } from '../src/devices/measure.ts'

test('[BN-61] what is not there afterwards was not recorded', () => {
  expect(() => requireAll('recorder', 10, 10)).not.toThrow()
  expect(() => requireAll('recorder', 9, 10)).toThrow('recorder: 9 instead of 10')
  expect(() => requireAll('recorder', 11, 10)).toThrow('recorder: 11 instead of 10')
})
