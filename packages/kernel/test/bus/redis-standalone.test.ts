import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'
import { afterAll, beforeAll, describe } from 'vitest'
import { busContract } from './contract.ts'
import { redisSession } from './rig.ts'

describe('the bus on one Redis', () => {
  let redis: RunningRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  busContract(() => redisSession(redis.url))
})
