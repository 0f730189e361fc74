import { startRedis } from '@patchbay/testkit/redis'
import { HOLDERS, MEASURED, measureHeld, redisOf, warmedUp } from '../memory.ts'
import { startScript, startWorker } from '../processes.ts'
import { inTurns } from '../report.ts'
import { startServer } from '../server.ts'
import type { StreamClients } from './clients.ts'
import { CHALLENGE } from './intents.ts'
import { openBrowsers } from './people.ts'
import type { Rig } from './rig.ts'

const BARE = new URL('./bare-streams.ts', import.meta.url)
const CLIENTS = new URL('./clients.ts', import.meta.url)

/** What an open stream costs, each holder in turns and in a fresh process. */
export async function measureStreamMemory(
  rig: Rig,
  { streams, rounds }: { readonly streams: number; readonly rounds: number },
) {
  return await inTurns(HOLDERS, rounds, async (name) => {
    await rig.reset({ from: 1, count: streams }, CHALLENGE)
    await using parts = new AsyncDisposableStack()
    const start = { databaseUrl: rig.url, redisUrl: await redisOf(name, parts), nodeArguments: MEASURED }
    const node = await (name === 'bare' ? startScript(BARE, [], MEASURED) : startServer(start))
    parts.defer(() => node.running.kill('SIGKILL'))
    const clients = parts.use(startWorker<StreamClients>(CLIENTS))
    return await measureHeld(node, {
      ...warmedUp(streams),
      open: (from, count) => clients.ask('open', { port: node.port, range: { from: from + 1, count } }),
      held: () => clients.ask('held'),
    })
  })
}

export interface WakeSizes {
  readonly perSecond: number
  readonly seconds: number
  readonly rounds: number
  /** Streams that wait beside those that are woken. */
  readonly waiting: number
}

const CROWDS = ['alone', 'crowded'] as const

/** Approvals at one node, streams at another, with and without others that wait there. */
export async function measureWake(rig: Rig, { perSecond, seconds, rounds, waiting }: WakeSizes) {
  await using parts = new AsyncDisposableStack()
  const redis = parts.use(await startRedis())
  const start = { databaseUrl: rig.url, redisUrl: redis.url }
  const [first, second] = await Promise.all([startServer(start), startServer(start)])
  parts.use(first)
  parts.use(second)
  const clients = parts.use(startWorker<StreamClients>(CLIENTS))
  const logins = perSecond * seconds
  const firstWaiting = logins * rounds * CROWDS.length + 1
  await rig.reset({ from: 1, count: firstWaiting + waiting }, CHALLENGE)
  const browsers = await openBrowsers(first.port)
  let from = 1
  return await inTurns(CROWDS, rounds, async (crowd) => {
    await clients.ask('close')
    const range = { from: firstWaiting, count: crowd === 'crowded' ? waiting : 0 }
    await clients.ask('open', { port: second.port, range })
    const order = { approveAt: first.port, waitAt: second.port, browsers, from, perSecond, seconds }
    from += logins
    return await clients.ask('wake', order)
  })
}
