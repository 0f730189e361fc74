import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { type RunningRedis, type RunningRedisCluster, startRedisCluster } from '@patchbay/testkit/redis'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { slotOf } from '../../src/bus/redis/subscriber.ts'
import { redisSession, unique } from './rig.ts'

describe('where things are in a Redis Cluster', () => {
  let cluster: RunningRedisCluster
  let first: RunningRedis
  beforeAll(async () => {
    cluster = await startRedisCluster()
    const [master] = cluster.masters
    if (master === undefined) throw new Error('a cluster without masters')
    first = master
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  test('[K-577] the slot of a name is the one that Redis computes', async () => {
    const names = ['pb:nodes', 'pb:c:{node}', '{}empty', '{open', 'a{b}c{d}', 'ünï{cödé}', 'x}y{z}']
    const random = fc.sample(fc.stringMatching(/^[\w:{}.-]{1,40}$/), { seed: 1, numRuns: 50 })
    for (const name of [...names, ...random]) {
      expect(`${name} ${await first.ask(`CLUSTER KEYSLOT ${name}`)}`).toBe(`${name} :${slotOf(name)}\r\n`)
    }
  })

  test('[K-577] subscriptions are spread over the masters', async () => {
    await using session = redisSession(cluster.url)
    const bus = await session.connect()
    const waiters = await Promise.all(Array.from({ length: 30 }, () => bus.wakeups.listen(unique('key'))))
    const shares = await Promise.all(
      cluster.masters.map((master) => master.ask('PUBSUB SHARDCHANNELS pb:w:*')),
    )
    for (const share of shares) expect(share).not.toBe('*0\r\n')
    await Promise.all(waiters.map((waiter) => waiter[Symbol.asyncDispose]()))
    for (const master of cluster.masters)
      expect(await master.ask('PUBSUB SHARDCHANNELS pb:w:*')).toBe('*0\r\n')
  })

  // Three steps bring a slot back to where it was, which must not look as if nothing had happened.
  test.for([1, 3])(
    '[K-577] a slot that moves %i times takes its waiters along and wakes them',
    async (steps) => {
      await using session = redisSession(cluster.url)
      const [a, b] = await Promise.all([session.connect(), session.connect()])
      const key = unique('key')
      await using waiter = await b.wakeups.listen(key)
      const slots = (await shardChannels('pb:w:*')).map(slotOf)
      expect(slots).toHaveLength(1)
      for (let step = 0; step < steps; step += 1)
        for (const slot of slots) await moveSlot(cluster.masters, slot)
      expect(await waiter.next(3_000)).toBe(true)
      const isWoken = async () => {
        await a.wakeups.notify(key)
        return waiter.next(200)
      }
      await waitUntil('the waiter hears in its new place', isWoken, { deadlineMs: 3_000 })
    },
  )

  deepTest('[K-577] a node whose slot moves is still reached', async () => {
    await using session = redisSession(cluster.url)
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    b.channel.handle('echo', (message) => message)
    for (const channel of await shardChannels(`pb:c:{${b.node}}`))
      await moveSlot(cluster.masters, slotOf(channel))
    const answers = async () => (await a.channel.send(b.node, 'echo', '', 300)).outcome === 'answered'
    await waitUntil('b answers', answers, { deadlineMs: 3_000 })
    await expect(b.ping()).resolves.toBeUndefined()
  })

  async function shardChannels(pattern: string): Promise<string[]> {
    const lists = await Promise.all(
      cluster.masters.map((master) => master.ask(`PUBSUB SHARDCHANNELS ${pattern}`)),
    )
    return lists.flatMap((list) => list.match(/pb:\S+/g) ?? [])
  }
})

/** As `redis-cli --cluster reshard` does it. */
async function moveSlot(masters: readonly RunningRedis[], slot: number): Promise<void> {
  const ids = await Promise.all(
    masters.map(async (master) => /[\da-f]{40}/.exec(await master.ask('CLUSTER MYID'))?.[0]),
  )
  const nodes = await masters[0]?.ask('CLUSTER NODES')
  const owner = ids.findIndex((id) => holds(nodes ?? '', id ?? '', slot))
  const next = (owner + 1) % masters.length
  const [from, to] = [masters[owner], masters[next]]
  if (from === undefined || to === undefined) throw new Error(`nobody holds slot ${slot}`)
  await to.ask(`CLUSTER SETSLOT ${slot} IMPORTING ${ids[owner]}`)
  await from.ask(`CLUSTER SETSLOT ${slot} MIGRATING ${ids[next]}`)
  await waitUntil('the slot is empty', async () => {
    const keys = (await from.ask(`CLUSTER GETKEYSINSLOT ${slot} 100`)).match(/pb:\S+/g) ?? []
    for (const key of keys) await from.ask(`MIGRATE 127.0.0.1 ${to.port} ${key} 0 1000 REPLACE`)
    return keys.length === 0
  })
  for (const master of [to, from]) await master.ask(`CLUSTER SETSLOT ${slot} NODE ${ids[next]}`)
}

function holds(nodes: string, id: string, slot: number): boolean {
  const line = nodes.split('\n').find((text) => text.startsWith(id)) ?? ''
  const ranges = line
    .split(' ')
    .slice(8)
    .filter((range) => /^\d/.test(range))
  return ranges.some((range) => {
    const [low, high = low] = range.split('-').map(Number)
    return low !== undefined && high !== undefined && low <= slot && slot <= high
  })
}
