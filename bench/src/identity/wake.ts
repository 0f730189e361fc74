import { startRedis } from '@patchbay/testkit/redis'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker } from '../gateway/worker.ts'
import { CHALLENGE } from './intents.ts'
import { openBrowsers } from './people.ts'
import type { Rig } from './rig.ts'
import { startServer } from './server.ts'
import type { WakeClients, Wakes } from './wake-clients.ts'

const CROWDS = ['alone', 'crowded'] as const
export type CrowdName = (typeof CROWDS)[number]
export type WakeRounds = Rounds<CrowdName, Wakes>

export interface WakeSizes {
  readonly perSecond: number
  readonly seconds: number
  readonly rounds: number
  /** Streams that wait beside those that are woken. */
  readonly waiting: number
}

const WAKE_CLIENTS = new URL('./wake-clients.ts', import.meta.url)
const POOL_SIZE = 10

/** Approvals at one node, streams at another, with and without others that wait there. */
export async function measureWake(rig: Rig, sizes: WakeSizes): Promise<WakeRounds> {
  const { perSecond, seconds, rounds, waiting } = sizes
  await using parts = new AsyncDisposableStack()
  const redis = parts.use(await startRedis())
  const start = { databaseUrl: rig.databaseUrl, redisUrl: redis.url, poolSize: POOL_SIZE }
  const [first, second] = await Promise.all([startServer(start), startServer(start)])
  parts.use(first)
  parts.use(second)
  const clients = parts.use(startWorker<WakeClients>(WAKE_CLIENTS))
  const logins = perSecond * seconds
  const firstWaiting = logins * rounds * CROWDS.length + 1
  await rig.reset({ from: 1, count: firstWaiting + waiting }, CHALLENGE)
  const browsers = await openBrowsers(first.port)
  let from = 1
  return await inTurns(CROWDS, rounds, async (crowd) => {
    const count = crowd === 'crowded' ? waiting : 0
    await clients.ask('hold', { port: second.port, from: firstWaiting, count })
    const order = { approveAt: first.port, waitAt: second.port, browsers, from, perSecond, seconds }
    from += logins
    return await clients.ask('run', order)
  })
}
