import { type RunningRedisSentinel, startRedisSentinel } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe } from 'vitest'
import { busContract } from './contract.ts'
import { redisSession } from './rig.ts'

describe('the bus on Redis with Sentinel', () => {
  let redis: RunningRedisSentinel
  beforeAll(async () => {
    redis = await startRedisSentinel()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  busContract(() => redisSession(redis.url))
})
