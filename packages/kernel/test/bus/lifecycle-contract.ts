import { expect, test } from 'vitest'
import { type OpenSession, refusal, unique } from './rig.ts'

export function lifecycleContract(open: OpenSession): void {
  test('[K-551] a bus that was closed is closed for good, and says so in every call', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const directory = a.directory('closing', { ttlMs: 1_000, tombstoneMs: 1_000 })
    a.channel.handle('hang', () => new Promise(() => undefined))
    b.channel.handle('hang', () => new Promise(() => undefined))
    await a.close()
    await a.close()
    expect(await b.channel.send(a.node, 'hang', '', 1_000)).toEqual({ outcome: 'gone' })
    const calls = [
      () => a.ping(),
      () => directory.claim('k', 'e'),
      () => directory.release('k', 'e'),
      () => directory.resume('k', 'e', 's'),
      () => directory.suspend('k', 'e'),
      () => directory.find('k'),
      () => directory.deliver('k', '', 50),
      () => directory.count(),
      () => a.channel.send(b.node, 'hang', '', 50),
      () => a.channel.send(a.node, 'hang', '', 50),
      () => a.wakeups.listen('k'),
      () => a.wakeups.notify('k'),
      () => a.presence.join('r', 'i', ''),
      () => a.presence.leave('r', 'i'),
      () => a.presence.members('r'),
      () => a.rateLimit.hit('k', { max: 1, windowMs: 1_000 }),
    ]
    const codes = await Promise.all(calls.map(async (call) => (await refusal(call)).code))
    expect(codes).toEqual(calls.map(() => 'bus_unavailable'))
  })

  test('[K-552] ping answers while the engine does', async () => {
    await using session = await open()
    const bus = await session.connect()
    await expect(bus.ping()).resolves.toBeUndefined()
  })

  test('[K-553] a node id is short and has no characters with a meaning', async () => {
    await using session = await open()
    const ids = ['', 'two words', '{tag}', 'x'.repeat(65)]
    const outcomes = await Promise.allSettled(ids.map((id) => session.connect(id)))
    expect(outcomes.map(({ status }) => status)).toEqual(ids.map(() => 'rejected'))
    const bus = await session.connect(unique('Node_1.a-b'))
    await expect(bus.ping()).resolves.toBeUndefined()
  })
}
