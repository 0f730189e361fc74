import { deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { type RunningRedis, type RunningRedisCluster, startRedisCluster } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisBus } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { MOVED_WITHIN_MS, surviveOutage } from './outage.ts'
import { refusal, unique } from './rig.ts'

describe('when a part of a Redis Cluster fails', () => {
  let cluster: RunningRedisCluster
  let master: RunningRedis
  beforeAll(async () => {
    cluster = await startRedisCluster()
    const [first] = cluster.masters
    if (first === undefined) throw new Error('a cluster without masters')
    master = first
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  deepTest('[K-569] a master that is killed and comes back empty', async () => {
    const recoveredAfterMs = await surviveOutage(cluster.url, {
      strike: () => master.kill(),
      breaks: true,
      async mend() {
        await master.restart()
        await cluster.settled()
      },
      partial: true,
    })
    expect(recoveredAfterMs).toBeLessThan(MOVED_WITHIN_MS)
  })

  test('[K-569] a master that hangs with its connections open', async () => {
    const recoveredAfterMs = await surviveOutage(cluster.url, {
      strike: () => master.pause(),
      breaks: false,
      async mend() {
        master.resume()
        await cluster.settled()
      },
      partial: true,
    })
    expect(recoveredAfterMs).toBeLessThan(MOVED_WITHIN_MS)
  })

  deepTest('[K-565] a bus that starts before its cluster works as soon as that is there', async () => {
    await Promise.all(cluster.masters.map((each) => each.kill()))
    await using bus = await createRedisBus({ url: cluster.url, node: unique('node'), clock: systemClock })
    expect((await refusal(() => bus.ping())).code).toBe('bus_unavailable')
    await Promise.all(cluster.masters.map((each) => each.restart()))
    await cluster.settled()
    await waitUntil('ping answers', async () => (await refusal(() => bus.ping())).code === 'none', {
      deadlineMs: 3_000,
    })
    const directory = bus.directory('d', { ttlMs: 1_000, tombstoneMs: 1_000 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => directory.claim(unique('key'), 'e')))
    expect(new Set(answers)).toEqual(new Set(['claimed']))
  })
})
