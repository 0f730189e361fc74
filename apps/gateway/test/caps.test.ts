import { randomUUID } from 'node:crypto'
import { SettableClock } from '@patchbay/testkit/clock'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { TestClient } from './client.ts'
import { startTestGateway } from './start.ts'

test('[B-40] a message of 4,096 bytes passes, a longer one closes with 1009', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const text = (length: number) => {
    const empty = JSON.stringify({ type: 'register', state: randomUUID(), provider: 'p', padding: '' })
    return `${empty.slice(0, -2)}${'x'.repeat(length - empty.length)}"}`
  }
  client.sendText(text(4_096))
  expect(await client.next()).toMatchObject({ type: 'registered' })
  client.sendText(text(4_097))
  expect((await client.closed).code).toBe(1009)
})

test('[B-41] a connection holds 16 registrations, and one more once another has ended', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const states = Array.from({ length: 16 }, () => randomUUID())
  for (const state of states) expect(await client.register(state)).toMatchObject({ type: 'registered' })
  const one = randomUUID()
  expect(await client.register(one)).toMatchObject({ state: one, reason: 'too_many_registrations' })
  await gateway.callback({ code: 'abc', state: states[0] ?? '' })
  expect(await client.next()).toMatchObject({ type: 'callback' })
  expect(await client.register(one)).toMatchObject({ type: 'registered' })
})

test('[B-41] an address holds as many registrations as the operator allows', async () => {
  await using gateway = await startTestGateway({
    environment: { PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '3' },
  })
  await using first = await gateway.connect()
  await using second = await gateway.connect()
  await first.register(randomUUID())
  await first.register(randomUUID())
  await second.register(randomUUID())
  expect(await second.register(randomUUID())).toMatchObject({ reason: 'too_many_registrations' })
  await first.close()
  await waitUntil('the place is free', async () => (await gateway.status()).pending === 1)
  expect(await second.register(randomUUID())).toMatchObject({ type: 'registered' })
})

test('[B-42] one connection too many of an address is refused with 429', async () => {
  await using gateway = await startTestGateway({
    environment: { PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '2' },
  })
  await using first = await gateway.connect()
  await using _second = await gateway.connect()
  await expect(gateway.connect()).rejects.toThrow('429')
  await first.close()
  await waitUntil('the place is free', async () => (await gateway.status()).sockets === 1)
  await using _third = await gateway.connect()
})

test('[B-42] behind a trusted proxy the address is the one it forwards', async () => {
  await using gateway = await startTestGateway({
    environment: {
      PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '1',
      PATCHBAY_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  const from = (address: string) => gateway.connect({ headers: { 'x-forwarded-for': address } })
  await using _one = await from('203.0.113.1')
  await using _two = await from('203.0.113.2')
  await expect(from('203.0.113.1')).rejects.toThrow('429')
  // One subscriber has a whole network of these.
  await using _six = await from('2001:db8:1:2::1')
  await expect(from('2001:db8:1:2:ffff::9')).rejects.toThrow('429')
  await using _next = await from('2001:db8:1:3::1')
})

test('[B-44] a burst of 60 messages passes, a flood closes with 1008', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  for (let index = 0; index < 60; index += 1) client.sendText('{}')
  for (let index = 0; index < 60; index += 1) await client.next()
  for (let index = 0; index < 60; index += 1) client.sendText('{}')
  expect((await client.closed).code).toBe(1008)
})

// These wait more than they work, each at a gateway of its own.
test.concurrent('[B-43] a connection that registers nothing for 10 s is closed with 4200', async () => {
  const clock = new SettableClock()
  await using gateway = await startTestGateway({ clock })
  await using idle = await gateway.connect()
  await using busy = await gateway.connect()
  await busy.register(randomUUID())
  clock.advance(9_999)
  await using late = await gateway.connect()
  clock.advance(1)
  expect(await idle.closed).toEqual({ code: 4200, reason: 'nothing_registered' })
  expect([busy.socket.readyState, late.socket.readyState]).toEqual([busy.socket.OPEN, late.socket.OPEN])
})

deepTest.concurrent('[B-43] so is one whose registrations have all ended, 10 s later', async () => {
  const clock = new SettableClock()
  await using gateway = await startTestGateway({ clock })
  await using client = await gateway.connect()
  const [delivered, dropped] = [randomUUID(), randomUUID()]
  await client.register(delivered)
  await client.register(dropped)
  await gateway.callback({ code: 'abc', state: delivered })
  clock.advance(20_000)
  // Still one to wait for.
  expect(await client.next()).toMatchObject({ type: 'callback' })
  client.send({ type: 'unregister', state: dropped })
  await waitUntil('nothing is pending', async () => (await gateway.status()).pending === 0)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
  clock.advance(10_000)
  expect((await client.closed).code).toBe(4200)
})

const pinged = ({ socket }: TestClient) => new Promise((resolve) => socket.once('ping', resolve))

test.concurrent('[B-45] sockets are pinged', async () => {
  await using gateway = await startTestGateway()
  // Pings are spread over 25 s, and the turn of a single socket may have passed before it was open.
  const clients = await Promise.all(Array.from({ length: 16 }, () => gateway.connect()))
  expect(await Promise.any(clients.map(pinged))).toBeInstanceOf(Buffer)
})

test.concurrent('[B-46] an address that registers and gives up again and again is slowed down', async () => {
  await using gateway = await startTestGateway({
    environment: { PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '20' },
  })
  const told: (string | undefined)[] = []
  for (let turn = 0; turn < 140; turn += 1) {
    await using client = await gateway.connect()
    const answer = await client.register(randomUUID())
    told.push(answer.type === 'error' ? answer.reason : answer.type)
  }
  expect(told.slice(0, 120)).toEqual(told.slice(0, 120).map(() => 'registered'))
  expect(told.slice(120)).toContain('too_many_registrations')
})

test.concurrent('[B-47] a connection that does not read is cut, and its deliveries end with it', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const states = Array.from({ length: 16 }, () => randomUUID())
  client.socket.pause()
  const told: string[] = []
  let isCutBefore = false
  const begun = performance.now()
  // Far more than the system's own buffers hold.
  for (let turn = 0; turn < 40 && !told.some((one) => one !== 'done'); turn += 1) {
    for (const state of states) client.send({ type: 'register', state, provider: 'example' })
    // It may be cut between two turns, by an answer to a registration that it does not take either.
    await waitUntil('they are registered, or it is cut', async () => {
      const { pending, sockets } = await gateway.status()
      isCutBefore = sockets === 0
      return pending > 0 || isCutBefore
    })
    const big = 'x'.repeat(30_000)
    const post = async (state: string) => {
      const body = new URLSearchParams({ code: big, state })
      const answer = await gateway.ask('/callback', { method: 'POST', body })
      return answer.headers.get('location')?.split('/').at(-1) ?? ''
    }
    told.push(...(await Promise.all(states.map(post))))
    states.splice(0, states.length, ...states.map(() => randomUUID()))
  }
  const [end = ''] = told.filter((one) => one !== 'done' && one !== 'unknown-state')
  const hasEnded = isCutBefore
    ? !told.slice(-states.length).includes('done')
    : /^client-(silent|gone)$/.test(end)
  expect({ told, hasEnded }).toEqual({ told, hasEnded: true })
  await waitUntil('the connection is cut', async () => (await gateway.status()).sockets === 0)
  expect(performance.now() - begun).toBeLessThan(atLatest(25_000))
})

test('[B-48] a form of more than 32 KiB, and any other kind of body, is refused', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state)
  const post = async (body: string, type: string) =>
    (await gateway.ask('/callback', { method: 'POST', body, headers: { 'content-type': type } })).status
  const form = 'application/x-www-form-urlencoded'
  const text = `code=abc&state=${state}`
  expect(await post(`${text}&x=${'y'.repeat(33_000)}`, form)).toBe(413)
  expect(await post(text, 'text/plain')).toBe(415)
  expect(await post(JSON.stringify({ code: 'abc', state }), 'application/json')).toBe(415)
  expect(await post(`${text}&x=${'y'.repeat(32_000)}`, form)).toBe(303)
  expect(await client.next()).toMatchObject({ type: 'callback', code: 'abc' })
})

deepTest(
  '[B-45] sockets are pinged every 25 s',
  async () => {
    await using gateway = await startTestGateway({
      environment: { PATCHBAY_GATEWAY_REGISTER_SECONDS: '240' },
    })
    await using client = await gateway.connect()
    // A busy machine is late with one ping or the other, which makes one gap longer and the next one shorter.
    const gaps: number[] = []
    await pinged(client)
    for (let round = 0; round < 4 && !gaps.some((ms) => ms > 24_000 && ms < 25_500); round += 1) {
      const begun = performance.now()
      await pinged(client)
      gaps.push(performance.now() - begun)
    }
    expect(gaps.at(-1)).toBeGreaterThan(24_000)
    expect(gaps.at(-1)).toBeLessThan(25_500)
  },
  240_000,
)
