import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigningKey, publicKeyOf } from '../../src/signing/index.ts'

/** The first key of RFC 8032, 7.1. */
const KNOWN_PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
${Buffer.from(`302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60`, 'hex').toString('base64')}
-----END PRIVATE KEY-----`
const KNOWN_PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

test('[A-250] the id of a key is the SHA-256 of its canonical JSON', () => {
  const { id, hex } = publicKeyOf(KNOWN_PRIVATE_KEY)
  expect(hex).toBe(KNOWN_PUBLIC_KEY)
  expect(id).toBe('74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916')
})

test('[A-250] a private key and its public half in PEM are the same key', () => {
  const pem = createSigningKey()
  expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  const half = createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
  expect(publicKeyOf(half)).toEqual(publicKeyOf(pem))
  expect(publicKeyOf(createSigningKey())).not.toEqual(publicKeyOf(pem))
})

test('[A-250] a key of another kind is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(() => publicKeyOf(pem)).toThrow('ed25519 is needed')
  expect(() => publicKeyOf('not a key')).toThrow()
})
