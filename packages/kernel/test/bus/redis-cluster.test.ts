import { depth } from '@patchbay/testkit/depth'
import { type RunningRedisCluster, startRedisCluster } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe } from 'vitest'
import { busContract, shortBusContract } from './contract.ts'
import { redisSession } from './rig.ts'

describe('the bus on a Redis Cluster', () => {
  let redis: RunningRedisCluster
  beforeAll(async () => {
    redis = await startRedisCluster()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  depth({ common: shortBusContract, deep: busContract })(() => redisSession(redis.url))
})
