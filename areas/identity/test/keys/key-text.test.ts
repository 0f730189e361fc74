import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyHash, keyPrefix, keyText } from '../../src/keys/key-text.ts'
import { sha256 } from '../../src/secrets.ts'

const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))
const keys = secrets.map(keyText)

test('[C-200] a key is recognized, by the SHA-256 of all of it', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(key).toMatch(/^pbk_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}$/)
      expect(keyHash(key)).toEqual(sha256(key))
      expect(key.startsWith(keyPrefix(key))).toBe(true)
      expect(keyPrefix(key)).toHaveLength(10)
    }),
  )
})

test('[C-200] the checksum of a known key stays what it is: keys out there must not turn bad', () => {
  expect(keyText('A'.repeat(43))).toBe('pbk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_2Aykd7')
})

test('[C-200] one character changed, dropped or added makes it no key', () => {
  const character = fc.oneof(
    fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(keys, fc.nat({ max: 53 }), character, (key, at, other) => {
      fc.pre(key.charAt(at) !== other)
      expect(keyHash(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined()
      expect(keyHash(key.slice(0, at) + key.slice(at + 1))).toBeUndefined()
      expect(keyHash(key.slice(0, at) + other + key.slice(at))).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})

test('[C-200] a secret that is not 256 bits makes no key', () => {
  expect(() => keyText('short')).toThrow(TypeError)
})
