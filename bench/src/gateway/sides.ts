import { startRedis } from '@patchbay/testkit/redis'
import {
  cpuOf,
  cpuOfAll,
  startProduct,
  startScript,
  startWorker,
  type Worker,
  withCpu,
} from '../processes.ts'
import type { GatewayClients, Ports } from './clients.ts'

/** What is measured: our gateway, and the bare prototype in two forms; see `bare-node.ts`. */
export const SIDES = ['gateway', 'script', 'acknowledged'] as const
export type SideName = (typeof SIDES)[number]

/** Two nodes and a Redis of their own, so that the cost of each part can be told, with sockets open all the time. */
interface Side {
  readonly ports: Ports
  readonly clients: Worker<GatewayClients>
  readonly nodes: readonly number[]
  readonly redis: number
}

/** All sides, up for the whole run, and who calls them back in turns. */
export interface Rig extends AsyncDisposable {
  readonly sides: Readonly<Record<SideName, Side>>
  readonly browsers: Worker<GatewayClients>
  /** No state is used twice. */
  nextBatch(): number
}

const BARE = new URL('./bare-node.ts', import.meta.url)
const CLIENTS = new URL('./clients.ts', import.meta.url)
/** A process may open 20,000 files at most here. */
const SOCKETS_PER_PROCESS = 9_500

export async function startRig(sockets: number): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const startSide = async (name: SideName): Promise<Side> => {
    const redis = starting.use(await startRedis())
    const nodes = await Promise.all(
      ['a', 'b'].map(async (node) =>
        starting.use(
          await (name === 'gateway' ? startGateway(redis.url) : startScript(BARE, [redis.url, node, name])),
        ),
      ),
    )
    const ports: Ports = [nodes[0]?.port ?? 0, nodes[1]?.port ?? 0]
    const clients = starting.use(startClients())
    await clients.ask('open', { ports, sockets })
    const info = await redis.ask('INFO server')
    return {
      ports,
      clients,
      nodes: nodes.map(({ pid }) => pid),
      redis: Number(/process_id:(\d+)/.exec(info)?.[1]),
    }
  }
  const sides = await Promise.all(SIDES.map(async (name) => [name, await startSide(name)] as const))
  const browsers = starting.use(startClients())
  const running = starting.move()
  let batch = 0
  return {
    sides: Object.fromEntries(sides) as Record<SideName, Side>,
    browsers,
    nextBatch() {
      batch += 1
      return batch
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** With the caps out of the way that one address would run into. */
export function startGateway(redisUrl: string | undefined, nodeArguments?: readonly string[]) {
  const env = {
    PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '1000000',
    PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '1000000',
    PATCHBAY_GATEWAY_REGISTER_SECONDS: '3600',
    PATCHBAY_DRAIN_SECONDS: '1',
    REDIS_URL: redisUrl,
  }
  return startProduct('gateway', env, nodeArguments)
}

export const startClients = () => startWorker<GatewayClients>(CLIENTS)

/** Idle sockets of as many processes as it takes. */
export function openSockets(ports: Ports) {
  const workers: { readonly clients: Worker<GatewayClients>; readonly sockets: number }[] = []
  return {
    workers,
    async open(_from: number, count: number) {
      for (let left = count; left > 0; left -= SOCKETS_PER_PROCESS) {
        const sockets = Math.min(left, SOCKETS_PER_PROCESS)
        const clients = startClients()
        workers.push({ clients, sockets })
        await clients.ask('open', { ports, sockets })
      }
    },
    async held() {
      const open = await Promise.all(workers.map(({ clients }) => clients.ask('held')))
      return open.reduce((sum, each) => sum + each, 0)
    },
    [Symbol.dispose]() {
      for (const { clients } of workers) clients[Symbol.dispose]()
    },
  }
}

export interface CpuCost {
  /** Of both nodes together. */
  readonly nodes: number
  readonly redis: number
}

/** What some work costs the nodes and Redis of a side, in microseconds per operation. */
export async function withCpuOf<Result>(
  { nodes, redis }: Side,
  operations: number,
  work: () => Promise<Result>,
) {
  const meters = { nodes: () => cpuOfAll(nodes), redis: () => cpuOf(redis) }
  const { result, cpu } = await withCpu(meters, work)
  return { result, cpu: { nodes: cpu.nodes / operations, redis: cpu.redis / operations } satisfies CpuCost }
}
