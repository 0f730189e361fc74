import { CLOSE_CODES, closeCodeName, isCloseCodeName } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'

const names = Object.keys(CLOSE_CODES).filter(isCloseCodeName)
const STANDARD = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014]

test('[K-360] no code stands twice, and each is found by its number', () => {
  expect(new Set(names.map((name) => CLOSE_CODES[name].code)).size).toBe(names.length)
  for (const name of names) expect(closeCodeName(CLOSE_CODES[name].code)).toBe(name)
  expect(closeCodeName(4999)).toBeUndefined()
})

test('[K-360] each code may be sent, and its name fits as the reason', () => {
  for (const name of names) {
    const { code, meaning } = CLOSE_CODES[name]
    expect(STANDARD.includes(code) || (code >= 4000 && code < 4600)).toBe(true)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(123)
    expect(meaning).not.toBe('')
  }
})

test('[K-360] codes that clients know never change', () => {
  expect(Object.fromEntries(names.map((name) => [name, CLOSE_CODES[name].code]))).toMatchObject({
    normal: 1000,
    going_away: 1001,
    protocol_error: 1002,
    unsupported_data: 1003,
    invalid_text: 1007,
    policy_violation: 1008,
    message_too_large: 1009,
    internal_error: 1011,
    dead_peer: 4001,
    slow_consumer: 4008,
    too_many_connections: 4029,
  })
})
