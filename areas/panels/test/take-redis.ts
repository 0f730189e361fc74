import { rmSync } from 'node:fs'
import { removeAtExit } from '@patchbay/testkit/leftovers'
import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'

const spare: RunningRedis[] = []

/** An empty Redis, which an earlier test may have used. */
export async function takeRedis(): Promise<RunningRedis> {
  const redis = spare.pop() ?? (await startKept())
  return {
    ...redis,
    async [Symbol.asyncDispose]() {
      const isEmptied = await redis.ask('FLUSHALL').then(
        () => true,
        () => false,
      )
      if (isEmptied) spare.push(redis)
      else await redis[Symbol.asyncDispose]()
    },
  }
}

/** It ends with the process. Nobody disposes of it then, so its folder has to be removed as well. */
async function startKept(): Promise<RunningRedis> {
  const redis = await startRedis()
  const [folder] = /\/\S+/.exec(await redis.ask('CONFIG GET dir')) ?? []
  if (folder !== undefined) removeAtExit(() => rmSync(folder, { recursive: true, force: true }))
  return redis
}
