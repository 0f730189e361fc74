import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { DIRECTORIES, startRig } from './rig.ts'
import { startTestGateway } from './start.ts'

function secret() {
  const resumeVerifier = randomBytes(32).toString('base64url')
  return { resumeVerifier, resumeChallenge: createHash('sha256').update(resumeVerifier).digest('base64url') }
}

describe.each(DIRECTORIES)('%s', (kind) => {
  test('[B-10][B-56] a lost registration is held again on another node, until its original end', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    const before = await rig.first.connect()
    await before.register(state, { resumeChallenge })
    rig.clock.advance(100_000)
    await before.close()
    await using after = await rig.second.connect()
    const resumed = await after.register(state, { resumeVerifier })
    expect(resumed).toEqual({ type: 'registered', state, expiresInMs: 500_000 })
    rig.clock.advance(499_000)
    expect(await rig.first.callback({ code: 'abc', state })).toBe('done')
    expect(await after.next()).toMatchObject({ type: 'callback', code: 'abc' })
  })

  deepTest('[B-10][B-56] what was resumed does not last longer for it', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    const before = await rig.first.connect()
    await before.register(state, { resumeChallenge })
    rig.clock.advance(300_000)
    await before.close()
    await using after = await rig.first.connect()
    await after.register(state, { resumeVerifier })
    rig.clock.advance(300_001)
    expect(await rig.second.callback({ code: 'abc', state })).toBe('unknown-state')
    expect(await after.next()).toMatchObject({ type: 'error', reason: 'expired' })
  })

  test('[B-12] the connection that held it is told, and has no say anymore', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    await using before = await rig.first.connect()
    await before.register(state, { resumeChallenge })
    await using after = await rig.second.connect()
    expect(await after.register(state, { resumeVerifier })).toMatchObject({ type: 'registered' })
    expect(await before.next()).toMatchObject({ type: 'error', state, reason: 'superseded' })
    before.send({ type: 'unregister', state })
    expect(await before.next()).toMatchObject({ type: 'error', reason: 'not_registered' })
    await before.close()
    expect((await rig.second.status()).pendingHere).toBe(1)
    expect(await rig.first.callback({ code: 'abc', state })).toBe('done')
    expect(await after.next()).toMatchObject({ type: 'callback', code: 'abc' })
  })

  test('[B-12] a connection of the same node takes over as well, and is counted once', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    await using before = await rig.first.connect()
    await before.register(state, { resumeChallenge })
    await using after = await rig.first.connect()
    await after.register(state, { resumeVerifier })
    expect(await before.next()).toMatchObject({ type: 'error', reason: 'superseded' })
    expect((await rig.first.status()).pendingHere).toBe(1)
    expect(await rig.second.callback({ code: 'abc', state })).toBe('done')
    expect(await after.next()).toMatchObject({ type: 'callback' })
  })

  test('[B-13] a callback waits for a client that is changing nodes', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    const before = await rig.first.connect()
    await before.register(state, { resumeChallenge })
    await before.close()
    const told = rig.first.callback({ code: 'abc', state })
    const asked = await Promise.race([
      told,
      new Promise((resolve) => setTimeout(resolve, 300, 'still waiting')),
    ])
    expect(asked).toBe('still waiting')
    await using after = await rig.second.connect()
    await after.register(state, { resumeVerifier })
    expect(await told).toBe('done')
    expect(await after.next()).toMatchObject({ type: 'callback', code: 'abc' })
  })
})

deepTest(
  '[B-13] a client that does not come back is gone after 2 s, and may still come back after that',
  async () => {
    await using gateway = await startTestGateway()
    const state = randomUUID()
    const { resumeChallenge, resumeVerifier } = secret()
    const before = await gateway.connect()
    await before.register(state, { resumeChallenge })
    await before.close()
    const begun = performance.now()
    expect(await gateway.callback({ code: 'abc', state })).toBe('client-gone')
    const waitedMs = performance.now() - begun
    expect(waitedMs).toBeGreaterThan(1_900)
    expect(waitedMs).toBeLessThan(2_800)
    await using after = await gateway.connect()
    expect(await after.register(state, { resumeVerifier })).toMatchObject({ type: 'registered' })
  },
)

test('[B-11] only the right secret resumes, and nothing that has ended', async () => {
  await using gateway = await startTestGateway()
  const { resumeChallenge, resumeVerifier } = secret()
  const taken = { type: 'error', reason: 'state_taken' }
  await using client = await gateway.connect()
  await using stranger = await gateway.connect()

  const guarded = randomUUID()
  await client.register(guarded, { resumeChallenge })
  expect(await stranger.register(guarded, { resumeVerifier: secret().resumeVerifier })).toMatchObject(taken)
  // The challenge is what a dump of Redis would show: it must not open anything.
  expect(await stranger.register(guarded, { resumeVerifier: resumeChallenge })).toMatchObject(taken)
  expect(await stranger.register(guarded, { resumeChallenge })).toMatchObject(taken)

  const plain = randomUUID()
  await client.register(plain)
  expect(await stranger.register(plain, { resumeVerifier })).toMatchObject(taken)

  const delivered = randomUUID()
  await client.register(delivered, { resumeChallenge })
  await gateway.callback({ code: 'abc', state: delivered })
  expect(await stranger.register(delivered, { resumeVerifier })).toMatchObject(taken)

  const givenUp = randomUUID()
  await client.register(givenUp, { resumeChallenge })
  client.send({ type: 'unregister', state: givenUp })
  // Answered in order, so the registration before is gone by then.
  await client.register(randomUUID())
  expect(await stranger.register(givenUp, { resumeVerifier })).toMatchObject(taken)
})

test('[B-14] a secret for a state that nobody registered registers it', async () => {
  await using gateway = await startTestGateway()
  const state = randomUUID()
  await using client = await gateway.connect()
  expect(await client.register(state, secret())).toMatchObject({ type: 'registered', state })
  expect(await gateway.callback({ code: 'abc', state })).toBe('done')
})
