import { waitUntil } from '@patchbay/testkit/processes'
import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisBus } from '../../src/bus/index.ts'
import { claimKey } from '../../src/bus/redis/keys.ts'
import { systemClock } from '../../src/clock/index.ts'
import { LIFETIMES, redisSession, refusal, twoNodes, unique } from './rig.ts'
import { startSilentProxy } from './silent-proxy.ts'

describe('what a delivery does to Redis', () => {
  let redis: RunningRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  test('[K-592] a delivery beyond the limit of outstanding messages is refused and takes nothing', async () => {
    const url = redis.url
    await using peer = await createRedisBus({ url, node: unique('peer'), clock: systemClock })
    await using bus = await createRedisBus({
      url,
      node: unique('bus'),
      clock: systemClock,
      maxOutstandingSends: 3,
    })
    const name = unique('directory')
    const [there, here] = [peer.directory(name, LIFETIMES), bus.directory(name, LIFETIMES)]
    there.onDelivery(() => new Promise(() => undefined))
    const keys = Array.from({ length: 5 }, (_, index) => `k${index}`)
    await Promise.all(keys.map((key) => there.claim(key, 'e')))
    const refusals = await Promise.all(keys.map((key) => refusal(() => here.deliver(key, '', 400))))
    expect(refusals.map(({ code }) => code)).toEqual([
      'none',
      'none',
      'none',
      'bus_unavailable',
      'bus_unavailable',
    ])
    const found = await Promise.all(keys.map((key) => here.find(key)))
    expect(found.map((holder) => holder !== undefined)).toEqual([false, false, false, true, true])
  })

  test('[K-596] on one server a delivery is one command of the node that makes it', async () => {
    await using session = redisSession(redis.url)
    const [a, b] = await twoNodes(session)
    b.onDelivery(() => '')
    const keys = Array.from({ length: 200 }, () => unique('key'))
    await Promise.all(keys.map((key) => b.claim(key, 'e')))
    await a.deliver(unique('key'), '', 5_000)
    const before = await calls('evalsha')
    for (const key of keys) expect(await a.deliver(key, '', 5_000)).toMatchObject({ outcome: 'answered' })
    // Heartbeats are scripts too.
    expect((await calls('evalsha')) - before).toBeLessThan(240)
  })

  test('[K-596] deliveries of one turn share scripts and messages, and each has its own outcome', async () => {
    await using session = redisSession(redis.url)
    const [a, b] = await twoNodes(session)
    const delivered: string[] = []
    b.onDelivery((epoch, message) => {
      delivered.push(`${epoch} ${message}`)
      return `reply to ${message}`
    })
    a.onDelivery((_, message) => `own ${message}`)
    const [held, own, suspended, absent] = ['held', 'own', 'suspended', 'absent'].map((what) =>
      Array.from({ length: 100 }, () => unique(what)),
    ) as [string[], string[], string[], string[]]
    await Promise.all(held.map((key, index) => b.claim(key, `e${index}`)))
    await Promise.all(own.map((key) => a.claim(key, 'mine')))
    await Promise.all(suspended.map((key) => b.claim(key, 'e', 'seal')))
    await Promise.all(suspended.map((key) => b.suspend(key, 'e')))
    const [scripts, messages] = [await calls('evalsha'), await calls('publish')]
    const deliver = (keys: readonly string[]) =>
      keys.map((key, index) => a.deliver(key, `${index} ü\u{1F50C}`, 10_000))
    // The same key twice in one script: the second finds it taken.
    const all = await Promise.all([held, held, own, suspended, absent].flatMap(deliver))
    expect(all.slice(0, 100)).toEqual(
      held.map((_, index) => ({ outcome: 'answered', reply: `reply to ${index} ü\u{1F50C}` })),
    )
    expect(all.slice(100, 200)).toEqual(held.map(() => ({ outcome: 'absent' })))
    expect(all.slice(200, 300)).toEqual(
      own.map((_, index) => ({ outcome: 'answered', reply: `own ${index} ü\u{1F50C}` })),
    )
    expect(all.slice(300, 400)).toEqual(suspended.map(() => ({ outcome: 'suspended' })))
    expect(all.slice(400)).toEqual(absent.map(() => ({ outcome: 'absent' })))
    expect(delivered.toSorted()).toEqual(held.map((_, index) => `e${index} ${index} ü\u{1F50C}`).toSorted())
    // 500 deliveries; heartbeats are scripts too.
    expect((await calls('evalsha')) - scripts).toBeLessThan(40)
    expect((await calls('publish')) - messages).toBeLessThan(40)
  })

  test('[K-596] a holder with a lease whom nobody hears for is gone at once', async () => {
    await using session = redisSession(redis.url)
    const bus = await session.connect()
    const [name, ghost] = [unique('directory'), unique('ghost')]
    const directory = bus.directory(name, LIFETIMES)
    await redis.ask(`SET ${claimKey(name, 'key')} "zzzzzzzz ${ghost} e"`)
    await redis.ask(`SET pb:n:{${ghost}} 1`)
    expect(await directory.find('key')).toEqual({ node: ghost, epoch: 'e' })
    expect(await directory.deliver('key', '', 20_000)).toEqual({ outcome: 'gone' })
  })

  test('[K-589] a delivery to the own node is not published', async () => {
    await using session = redisSession(redis.url)
    const [a] = await twoNodes(session)
    a.onDelivery(() => 'here')
    const keys = Array.from({ length: 50 }, () => unique('key'))
    await Promise.all(keys.map((key) => a.claim(key, 'e')))
    const before = await calls('publish')
    const outcomes = await Promise.all(keys.map((key) => a.deliver(key, '', 5_000)))
    expect(outcomes).toEqual(keys.map(() => ({ outcome: 'answered', reply: 'here' })))
    expect(await calls('publish')).toBe(before)
  })

  test('[K-597] the replies of one turn leave in one message', async () => {
    await using session = redisSession(redis.url)
    const [a, b] = await twoNodes(session)
    b.onDelivery((_, message) => message)
    const keys = Array.from({ length: 1_000 }, () => unique('key'))
    await Promise.all(keys.map((key) => b.claim(key, 'e')))
    const before = await calls('publish')
    const outcomes = await Promise.all(keys.map((key) => a.deliver(key, key, 10_000)))
    expect(outcomes).toEqual(keys.map((reply) => ({ outcome: 'answered', reply })))
    // A thousand messages, and far fewer for the replies.
    expect((await calls('publish')) - before).toBeLessThan(1_500)
  })

  test.for(['claim', 'resume'] as const)(
    '[K-599] a %s whose answer comes after its delivery is not counted',
    async (act) => {
      await using proxy = await startSilentProxy(redis.port)
      await using session = redisSession(redis.url)
      const name = unique('directory')
      const near = (await session.connect()).directory(name, LIFETIMES)
      await using bus = await createRedisBus({
        url: `redis://127.0.0.1:${proxy.port}`,
        node: unique('far'),
        clock: session.clock,
        commandTimeoutMs: 10_000,
      })
      const far = bus.directory(name, LIFETIMES)
      far.onDelivery((epoch) => epoch)
      proxy.holdAnswers()
      const answer = act === 'claim' ? far.claim('key', 'e1', 'seal') : far.resume('key', 'e1', 'seal')
      await waitUntil('the claim is there', async () => (await near.find('key')) !== undefined)
      expect(await near.deliver('key', '', 10_000)).toEqual({ outcome: 'answered', reply: 'e1' })
      expect(await Promise.race([answer, Promise.resolve('under way')])).toBe('under way')
      proxy.passAnswers()
      const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
      expect(await answer).toEqual(act === 'claim' ? 'claimed' : { expiresAt, previous: undefined })
      expect(far.ownCount()).toBe(0)
    },
  )

  async function calls(command: string): Promise<number> {
    const stats = await redis.ask('INFO commandstats')
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
  }
})
