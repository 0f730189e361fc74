import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { seal, unseal } from '../../src/intents/sealing.ts'
import { sha256 } from '../../src/secrets.ts'
import { createSecret } from '../start.ts'

test('[C-60] what was sealed opens for the same intent and session', () => {
  assert(
    property(string({ minLength: 1, maxLength: 100 }), (text) => {
      const [intent, hash] = [createSecret(), sha256(text)]
      expect(unseal(intent, hash, seal(intent, hash, text))).toBe(text)
    }),
  )
})

test('[C-60] another intent, another session, or one changed bit opens nothing', () => {
  const [intent, token] = [createSecret(), `tok_${createSecret()}`]
  const hash = sha256(token)
  const sealed = seal(intent, hash, token)
  expect(sealed.includes(token.slice(4, 20))).toBe(false)
  expect(() => unseal(createSecret(), hash, sealed)).toThrow()
  expect(() => unseal(intent, sha256('another'), sealed)).toThrow()
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(() => unseal(intent, hash, changed)).toThrow()
  }
})

test('[C-60] two sessions of one intent are not sealed with the same key stream', () => {
  const intent = createSecret()
  const sealed = ['a', 'b'].map((name) => seal(intent, sha256(name), 'the same text'))
  expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false)
})
