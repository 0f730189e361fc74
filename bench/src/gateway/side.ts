import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'

/** What is measured: our gateway, and the bare prototype in two forms; see `bare-node.ts`. */
export const SIDES = ['gateway', 'script', 'acknowledged'] as const
export type SideName = (typeof SIDES)[number]

/** Two nodes and a Redis of their own, so that the cost of each part can be told. */
export interface Side extends AsyncDisposable {
  readonly name: SideName
  readonly ports: readonly [number, number]
  readonly pids: { readonly nodes: readonly number[]; readonly redis: number }
}

const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const BARE = fileURLToPath(new URL('./bare-node.ts', import.meta.url))

export async function startSide(name: SideName): Promise<Side> {
  await using starting = new AsyncDisposableStack()
  const redis = starting.use(await startRedis())
  const startOne = (node: string) => startNode(name, node, redis.url)
  const [first, second] = await Promise.all([startOne('a'), startOne('b')])
  starting.use(first.running)
  starting.use(second.running)
  const info = await redis.ask('INFO server')
  const running = starting.move()
  return {
    name,
    ports: [first.port, second.port],
    pids: {
      nodes: [first.running.pid, second.running.pid],
      redis: Number(/process_id:(\d+)/.exec(info)?.[1]),
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startNode(name: SideName, node: string, redisUrl: string) {
  const port = await freePort()
  const running =
    name === 'gateway'
      ? startGateway(port, { nodeArguments: process.execArgv, redisUrl })
      : startProcess(process.execPath, [...process.execArgv, BARE, `${port}`, redisUrl, node, name])
  await listens(running, port)
  return { port, running }
}

export interface GatewayStart {
  readonly nodeArguments: readonly string[]
  readonly redisUrl?: string | undefined
}

/** The product as an operator starts it, with the caps out of the way that one address would run into. */
export function startGateway(port: number, { nodeArguments, redisUrl }: GatewayStart): RunningProcess {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  return startProcess(process.execPath, [...nodeArguments, CLI, 'gateway'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH,
      TMPDIR,
      PATCHBAY_GATEWAY_PORT: `${port}`,
      PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '1000000',
      PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '1000000',
      PATCHBAY_GATEWAY_REGISTER_SECONDS: '3600',
      PATCHBAY_DRAIN_SECONDS: '1',
      PATCHBAY_LOG_LEVEL: 'warn',
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    },
  })
}

/** A gateway answers 503 until it reaches its bus; the prototype knows no such path, and that is an answer too. */
export async function listens(running: RunningProcess, port: number): Promise<void> {
  const answers = async () => {
    if (running.child.exitCode !== null) throw new Error(`a node ended:\n${running.output()}`)
    const status = await fetch(`http://127.0.0.1:${port}/ready`, { redirect: 'manual' })
      .then((answer) => answer.status)
      .catch(() => 503)
    return status < 500
  }
  await waitUntil('a node listens', answers, { deadlineMs: 60_000 })
}
