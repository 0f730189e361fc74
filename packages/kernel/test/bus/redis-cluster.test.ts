import { type RunningRedisCluster, startRedisCluster } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe } from 'vitest'
import { busContract } from './contract.ts'
import { redisSession } from './rig.ts'

describe('the bus on a Redis Cluster', () => {
  let redis: RunningRedisCluster
  beforeAll(async () => {
    redis = await startRedisCluster()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  busContract(() => redisSession(redis.url))
})
