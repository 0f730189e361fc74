import { createRedisBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { createLog } from '@patchbay/kernel/log'
import { migratedDatabase, type PanelsNode, startPanelsNode, temporaryFolder } from '../start.ts'
import { takeRedis } from '../take-redis.ts'

const log = createLog({ level: 'silent', process: 'server' })

export interface Pair extends AsyncDisposable {
  readonly nodes: readonly [PanelsNode, PanelsNode]
}

/** Two whole nodes on one database, one Redis and one folder. */
export async function startPair(): Promise<Pair> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder())
  const database = cleanup.use(await migratedDatabase())
  const redis = cleanup.use(await takeRedis())
  const start = async (node: string) => {
    const bus = cleanup.use(
      await createRedisBus({ url: redis.url, node, clock: systemClock, log, commandTimeoutMs: 5_000 }),
    )
    return cleanup.use(await startPanelsNode({ databaseUrl: database.url, folder: folder.path, bus, node }))
  }
  const nodes = [await start('a'), await start('b')] as const
  const owned = cleanup.move()
  return { nodes, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
