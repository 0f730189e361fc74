import { randomUUID } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { describe, expect } from 'vitest'
import { DIRECTORIES, startRig } from './rig.ts'
import { startTestGateway } from './start.ts'

const MINUTE_MS = 60_000

test.each(['/ws', '/'])('[B-1] the WebSocket answers at %s', async (path) => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect({ path })
  expect(await client.register(randomUUID())).toMatchObject({ type: 'registered' })
})

test('[B-2] register is answered with the state, which is pending from then on', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  const answer = await client.register(state)
  expect(answer).toEqual({ type: 'registered', state, expiresInMs: expect.any(Number) })
  expect(await gateway.status()).toMatchObject({ pending: 1, pendingHere: 1, sockets: 1 })
})

describe.each(DIRECTORIES)('%s', (kind) => {
  test('[B-3][B-56] a state that is registered stays with its owner, whoever asks, on whatever node', async () => {
    await using rig = await startRig(kind)
    const state = randomUUID()
    await using owner = await rig.first.connect()
    await owner.register(state)
    await using neighbor = await rig.first.connect()
    await using stranger = await rig.second.connect()
    for (const client of [owner, neighbor, stranger]) {
      expect(await client.register(state)).toMatchObject({ type: 'error', state, reason: 'state_taken' })
    }
    expect(await rig.second.callback({ code: 'abc', state })).toBe('done')
    expect(await owner.next()).toMatchObject({ type: 'callback', state, code: 'abc' })
  })

  deepTest('[B-5][B-56] at 599 s a callback is delivered, at 601 s it is not', async () => {
    await using rig = await startRig(kind)
    await using client = await rig.first.connect()
    const [early, late] = [randomUUID(), randomUUID()]
    await client.register(early)
    await client.register(late)
    rig.clock.advance(599_000)
    expect(await rig.second.callback({ code: 'in-time', state: early })).toBe('done')
    expect(await client.next()).toMatchObject({ type: 'callback', state: early, code: 'in-time' })
    rig.clock.advance(2_000)
    expect(await rig.second.callback({ code: 'too-late', state: late })).toBe('unknown-state')
    expect(await client.next()).toMatchObject({ type: 'error', state: late, reason: 'expired' })
    expect((await rig.first.status()).pending).toBe(0)
    expect(client.received.filter(({ type }) => type === 'callback')).toHaveLength(1)
  })

  deepTest.each(['unregistered', 'disconnected', 'expired'] as const)(
    '[B-7][B-56] C1: a state that was %s can be registered again',
    async (ending) => {
      await using rig = await startRig(kind)
      const state = randomUUID()
      await using owner = await rig.first.connect()
      await owner.register(state)
      if (ending === 'unregistered') owner.send({ type: 'unregister', state })
      if (ending === 'disconnected') await owner.close()
      if (ending === 'expired') rig.clock.advance(10 * MINUTE_MS)
      await waitUntil('nothing is pending', async () => (await rig.first.status()).pending === 0)
      await using next = await rig.second.connect()
      await waitUntil(
        'the other node has heard of it',
        async () => (await next.register(state)).type === 'registered',
      )
      expect(await rig.first.callback({ code: 'abc', state })).toBe('done')
      expect(await next.next()).toMatchObject({ type: 'callback', state, code: 'abc' })
    },
  )

  test.each(['delivered', 'unregistered', 'disconnected'] as const)(
    '[B-7][B-56] nobody can register a state with a challenge for 10 minutes after it was %s',
    async (ending) => {
      await using rig = await startRig(kind)
      const state = randomUUID()
      await using owner = await rig.first.connect()
      await owner.register(state, { resumeChallenge: 'a'.repeat(43) })
      if (ending === 'delivered') await rig.first.callback({ code: 'abc', state })
      if (ending === 'unregistered') owner.send({ type: 'unregister', state })
      if (ending === 'disconnected') await owner.close()
      await waitUntil('nothing is pending', async () => (await rig.first.status()).pending === 0)
      // A heartbeat of the other node may still be counted; the directory decides.
      await using stranger = await rig.second.connect()
      expect(await stranger.register(state)).toMatchObject({ type: 'error', reason: 'state_taken' })
      rig.clock.advance(10 * MINUTE_MS - 1_000)
      expect(await stranger.register(state)).toMatchObject({ type: 'error', reason: 'state_taken' })
      rig.clock.advance(1_001)
      await using late = await rig.second.connect()
      expect(await late.register(state)).toMatchObject({ type: 'registered', state })
    },
  )
})

test('[B-4] only its own connection can unregister a state', async () => {
  await using gateway = await startTestGateway()
  await using owner = await gateway.connect()
  await using stranger = await gateway.connect()
  const state = randomUUID()
  await owner.register(state)
  stranger.send({ type: 'unregister', state })
  expect(await stranger.next()).toMatchObject({ type: 'error', state, reason: 'not_registered' })
  expect((await gateway.status()).pending).toBe(1)
  owner.send({ type: 'unregister', state })
  await waitUntil('nothing is pending', async () => (await gateway.status()).pending === 0)
  expect(await gateway.callback({ code: 'abc', state })).toBe('unknown-state')
  expect(owner.received).toHaveLength(1)
})

test('[B-6] when a connection closes, all of its registrations are gone', async () => {
  await using gateway = await startTestGateway()
  const client = await gateway.connect()
  const states = [randomUUID(), randomUUID(), randomUUID()]
  for (const state of states) await client.register(state)
  expect((await gateway.status()).pending).toBe(3)
  await client.close()
  await waitUntil('nothing is pending', async () => (await gateway.status()).pending === 0)
  for (const state of states) expect(await gateway.callback({ code: 'abc', state })).toBe('unknown-state')
})

const UUID = '0b0fa3e2-64a5-4f0e-9f3c-2f7bd1a1d0aa'
const FAULTY: readonly (readonly [string, string, string])[] = [
  ['a state that is no UUID', JSON.stringify({ type: 'register', state: 'x', provider: 'p' }), 'x'],
  ['a state that is no text', JSON.stringify({ type: 'register', state: 5, provider: 'p' }), ''],
  ['a state that is missing', JSON.stringify({ type: 'register', provider: 'p' }), ''],
  ['a provider that is missing', JSON.stringify({ type: 'register', state: UUID }), UUID],
  ['an empty provider', JSON.stringify({ type: 'register', state: UUID, provider: '' }), UUID],
  ['a provider of 101', JSON.stringify({ type: 'register', state: UUID, provider: 'p'.repeat(101) }), UUID],
  [
    'a short challenge',
    JSON.stringify({ type: 'register', state: UUID, provider: 'p', resumeChallenge: 'a' }),
    UUID,
  ],
  ['a type nobody knows', JSON.stringify({ type: 'callback', state: UUID, code: 'x' }), UUID],
  ['no type', JSON.stringify({ state: UUID }), UUID],
  ['an unregister without a state', JSON.stringify({ type: 'unregister' }), ''],
  ['no JSON', '{', ''],
  ['no object', '"register"', ''],
  ['null', 'null', ''],
  ['a list', '[]', ''],
]

deepTest.each(FAULTY)(
  '[B-8][B-9] %s is answered with what is wrong, and the connection stays',
  async (_, text, state) => {
    await using gateway = await startTestGateway()
    await using client = await gateway.connect()
    client.sendText(text)
    expect(await client.next()).toEqual({
      type: 'error',
      state,
      error: expect.stringMatching(/^[A-Z].*\.$/),
      reason: 'invalid_message',
    })
    expect(await client.register(UUID)).toMatchObject({ type: 'registered', state: UUID })
  },
)

test('[B-8] members that are not documented are ignored', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  expect(await client.register(UUID, { color: 'blue' })).toMatchObject({ type: 'registered' })
})
