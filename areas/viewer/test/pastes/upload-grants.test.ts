import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { UploadGrants } from '../../src/pastes/upload-grants.ts'

const MINUTE = 60_000
const REFUSED = expect.objectContaining({ code: 'upload_not_granted' })

function createGrants() {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const grants = new UploadGrants({ now: () => new Date(time), createNonce: () => randomUUID() })
  return { grants, pass: (ms: number) => (time += ms) }
}

test('[E-124] a nonce is worth one grant, and nothing else is', () => {
  const { grants } = createGrants()
  const nonce = grants.issueNonce()
  const grant = grants.trade(nonce)
  expect(() => grants.require(grant)).not.toThrow()
  expect(() => grants.trade(nonce)).toThrow(REFUSED)
  expect(() => grants.trade(grant)).toThrow(REFUSED)
  expect(() => grants.require(nonce)).toThrow(REFUSED)
  expect(() => grants.require(`${grant} `)).toThrow(REFUSED)
})

test('[E-124] a nonce ends after ten minutes, a grant after a day', () => {
  const { grants, pass } = createGrants()
  const [first, second] = [grants.issueNonce(), grants.issueNonce()]
  pass(10 * MINUTE - 1)
  const grant = grants.trade(first)
  pass(1)
  expect(() => grants.trade(second)).toThrow(REFUSED)
  pass(24 * 60 * MINUTE - 2)
  expect(() => grants.require(grant)).not.toThrow()
  pass(1)
  expect(() => grants.require(grant)).toThrow(REFUSED)
})

test('[E-125] a thousand nonces and a thousand grants are kept, the newest ones', () => {
  const { grants } = createGrants()
  const nonces = Array.from({ length: 1_001 }, () => grants.issueNonce())
  expect(() => grants.trade(nonces[0] ?? '')).toThrow(REFUSED)
  const first = grants.trade(nonces[1] ?? '')
  expect(() => grants.require(first)).not.toThrow()
  for (const nonce of nonces.slice(2)) grants.trade(nonce)
  expect(() => grants.require(first)).not.toThrow()
  grants.trade(grants.issueNonce())
  expect(() => grants.require(first)).toThrow(REFUSED)
})
