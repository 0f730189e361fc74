import { expect, test } from 'vitest'
import { connectAsAda, startExample } from './journey.ts'

const unseen = async () => {}

test('[J-3] click, sign in, consent, confirm, done; tokens are stored, and renewed when they expire', async () => {
  await using example = await startExample()
  const begun = Date.now()
  const addresses = await connectAsAda(example, unseen)
  // The provider's answer is in no address that the person could see or go back to.
  expect(addresses.length).toBeGreaterThan(3)
  expect(addresses.filter((address) => /code=|\/callback\?/.test(address))).toEqual([])

  const first = await example.record()
  expect(first).toEqual({
    accessToken: expect.stringMatching(/.{20,}/),
    refreshToken: expect.stringMatching(/.{20,}/),
    expiresAt: expect.any(Number),
  })
  expect(first.expiresAt).toBeGreaterThan(begun)
  expect(await example.recordMode()).toBe(0o600)

  await example.expire()
  await example.page.reload()
  await example.page.getByText('Connected as Ada Lovelace').waitFor()
  const renewed = await example.record()
  expect(renewed.accessToken).not.toBe(first.accessToken)
  expect(renewed.refreshToken).not.toBe(first.refreshToken)
  expect(renewed.expiresAt).toBeGreaterThan(Date.now())
}, 90_000)
