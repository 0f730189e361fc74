import { atLatest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis, startRedisSentinel } from '@patchbay/testkit/redis'
import { describe, expect, test } from 'vitest'
import { createRedisBus } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { createLog } from '../../src/log/index.ts'
import { MOVED_WITHIN_MS, RECOVERED_WITHIN_MS, surviveOutage } from './outage.ts'
import { LIFETIMES, redisSession, refusal, twoNodes, unique } from './rig.ts'
import { startSilentProxy } from './silent-proxy.ts'

describe('when Redis fails', () => {
  test('[K-566] a Redis that is killed and comes back empty', async () => {
    await using redis = await startRedis()
    const recoveredAfterMs = await surviveOutage(redis.url, {
      strike: () => redis.kill(),
      breaks: true,
      mend: () => redis.restart(),
    })
    expect(recoveredAfterMs).toBeLessThan(RECOVERED_WITHIN_MS)
  })

  test('[K-566] a call under way when Redis dies is refused then, not at its deadline', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const bus = await session.connect()
    redis.pause()
    const refused = refusal(() => bus.rateLimit.hit('key', { max: 1, windowMs: 1_000 }))
    await redis.kill()
    const { code, afterMs } = await refused
    expect(code).toBe('bus_unavailable')
    // The deadline of a command is ten seconds here.
    expect(afterMs).toBeLessThan(atLatest(2_000))
  })

  test('[K-567] a Redis that hangs with its connections open', async () => {
    await using redis = await startRedis()
    const recoveredAfterMs = await surviveOutage(redis.url, {
      strike: () => redis.pause(),
      breaks: false,
      mend: () => redis.resume(),
    })
    expect(recoveredAfterMs).toBeLessThan(RECOVERED_WITHIN_MS)
  })

  test('[K-568] a master that is killed, and a replica that Sentinel promotes', async () => {
    await using redis = await startRedisSentinel()
    const recoveredAfterMs = await surviveOutage(redis.url, {
      strike: () => redis.master.kill(),
      breaks: true,
      mend: () => redis.failOver(),
    })
    expect(recoveredAfterMs).toBeLessThan(MOVED_WITHIN_MS)
  })

  test('[K-565] a bus that starts before its Redis works as soon as that is there', async () => {
    await using redis = await startRedis()
    await redis.kill()
    const start = performance.now()
    await using bus = await createRedisBus({ url: redis.url, node: unique('node'), clock: systemClock })
    expect(performance.now() - start).toBeLessThan(atLatest(1_500))
    expect((await refusal(() => bus.ping())).code).toBe('bus_unavailable')
    await redis.restart()
    await waitUntil('ping answers', async () => (await refusal(() => bus.ping())).code === 'none')
    expect(await bus.directory('d', { ttlMs: 1_000, tombstoneMs: 1_000 }).claim('k', 'e')).toBe('claimed')
  })

  test('[K-572] a call that was refused while Redis was away is not made when it is back', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const lifetimes = { ttlMs: 600_000, tombstoneMs: 60_000 }
    await redis.kill()
    const refused = await refusal(() => a.directory('d', lifetimes).claim('k', 'e'))
    expect(refused.code).toBe('bus_unavailable')
    await redis.restart()
    await waitUntil(
      'both answer',
      async () => (await refusal(() => Promise.all([a.ping(), b.ping()]))).code === 'none',
    )
    expect(await b.directory('d', lifetimes).claim('k', 'e')).toBe('claimed')
    expect(await a.directory('d', lifetimes).count()).toBe(0)
  })

  test('[K-570] claims that are made again after a loss end when they would have', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const bus = await session.connect()
    const directory = bus.directory('d', { ttlMs: 600_000, tombstoneMs: 60_000 })
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`)
    await Promise.all(keys.map((key) => directory.claim(key, 'e')))
    await directory.release('k999', 'e')
    session.clock.advance(590_000)
    await redis.restart()
    const remade = async () =>
      Number(/keys=(\d+)/.exec(await redis.ask('INFO keyspace').catch(() => ''))?.[1]) >= 1_001
    await waitUntil('the claims are there again', remade)
    expect(await directory.find('k999')).toBeUndefined()
    expect(await directory.find('k0')).toEqual({ node: bus.node, epoch: 'e' })
    session.clock.advance(11_000)
    expect(await directory.find('k1')).toBeUndefined()
    expect(await directory.count()).toBe(0)
  })

  test('[K-598] claims that are made again after a loss have their seals', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const [a, b, nodeA] = await twoNodes(session)
    await a.claim('sealed', 'e1', 'seal')
    await a.claim('suspended', 'e1', 'seal')
    await a.suspend('suspended', 'e1')
    const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
    session.clock.advance(1_000)
    await redis.restart()
    await waitUntil('the claim is there again', async () => {
      const found = await b.find('sealed').catch(() => undefined)
      return found !== undefined
    })
    expect(await b.resume('sealed', 'e2', 'another')).toBeUndefined()
    expect(await b.resume('sealed', 'e2', 'seal')).toEqual({
      expiresAt,
      previous: { node: nodeA, epoch: 'e1' },
    })
    expect(await b.find('suspended')).toBeUndefined()
  })

  test('[K-598] a node that is back takes nothing from those who resumed or ended its claims', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const [a, b, , nodeB] = await twoNodes(session)
    for (const key of ['resumed', 'suspended', 'ended']) await a.claim(key, 'e1', 'seal')
    for (const key of ['resumed', 'suspended', 'ended']) await b.resume(key, 'e2', 'seal')
    await b.suspend('suspended', 'e2')
    await b.release('ended', 'e2')
    expect(a.ownCount()).toBe(3)
    await redis.ask('CLIENT KILL TYPE normal')
    await waitUntil('it has seen that they are not its own', () => a.ownCount() === 0)
    expect(await a.find('resumed')).toEqual({ node: nodeB, epoch: 'e2' })
    expect(await a.find('suspended')).toBe('suspended')
    expect(await a.find('ended')).toBeUndefined()
    expect(b.ownCount()).toBe(1)
  })

  test('[K-525] after a lost connection every waiter is woken once', async () => {
    await using redis = await startRedis()
    await using session = redisSession(redis.url)
    const bus = await session.connect()
    const keys = ['1', '1', '2', '3']
    const waiters = await Promise.all(keys.map((key) => bus.wakeups.listen(key)))
    await redis.ask('CLIENT KILL TYPE pubsub')
    expect(await Promise.all(waiters.map((waiter) => waiter.next(20_000)))).toEqual([true, true, true, true])
    expect(await Promise.all(waiters.map((waiter) => waiter.next(100)))).toEqual([false, false, false, false])
    await bus.wakeups.notify('1')
    const [first, second, ...others] = waiters
    expect([await first?.next(20_000), await second?.next(20_000)]).toEqual([true, true])
    expect(await Promise.all(others.map((waiter) => waiter.next(200)))).toEqual([false, false])
  })

  test('[K-579] connections that are cut without a word are replaced', async () => {
    await using redis = await startRedis()
    await using proxy = await startSilentProxy(redis.port)
    const common = { clock: systemClock, commandTimeoutMs: 300 }
    await using near = await createRedisBus({ ...common, url: redis.url, node: 'near' })
    await using far = await createRedisBus({ ...common, url: `redis://127.0.0.1:${proxy.port}`, node: 'far' })
    far.channel.handle('echo', (message) => message)
    await using waiter = await far.wakeups.listen('key')
    proxy.cut()
    expect(await waiter.next(10_000)).toBe(true)
    await waitUntil('ping answers', async () => (await refusal(() => far.ping())).code === 'none')
    expect(await near.channel.send('far', 'echo', 'heard', 2_000)).toEqual({
      outcome: 'answered',
      reply: 'heard',
    })
  })

  test('[K-578] an outage is two lines in the log, however long it is', async () => {
    await using redis = await startRedis({ args: ['--requirepass', 'hunter2'] })
    const lines: string[] = []
    const log = createLog({
      level: 'info',
      process: 'test',
      destination: { write: (line) => lines.push(line) },
    })
    const url = redis.url.replace('redis://', 'redis://:hunter2@')
    await using bus = await createRedisBus({ url, node: unique('node'), clock: systemClock, log })
    await redis.kill()
    await waitUntil('the loss is noticed', () => lines.length === 2)
    // Long enough for several attempts, none of which may say anything.
    await new Promise((resolve) => setTimeout(resolve, depth({ common: 300, deep: 1_100 })))
    await redis.restart()
    await waitUntil('ping answers', async () => (await refusal(() => bus.ping())).code === 'none')
    const messages = lines.map((line) => /"msg":"([^"]*)"/.exec(line)?.[1])
    expect(messages).toEqual(['bus reachable', 'bus unreachable', 'bus reachable'])
    expect(lines.join('')).not.toContain('hunter2')
  })
})
