import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFreePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { parseAssignments, ROOT, readText } from './files.ts'

export interface GatewayNode extends AsyncDisposable {
  readonly port: number
  /** As an operator does it: SIGTERM, its end, a new one in its place that is ready. */
  restart(): Promise<GatewayNode>
  readonly process: RunningProcess
  sockets(): Promise<number>
  isReady(): Promise<boolean>
}

/** Real gateways that share a Redis, each with the shipped environment and a port of its own. */
export async function startGatewayNodes(count: number, more: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis())
  const shipped = parseAssignments(await readText('deploy/systemd/gateway.env.example'))
  const environment = { ...shipped, REDIS_URL: redis.url, PATCHBAY_DRAIN_SECONDS: '10', ...more }
  const starting = Array.from({ length: count }, async () =>
    stack.use(await withFreePort((port) => startNode(port, environment))),
  )
  const nodes = await Promise.all(starting)
  const owned = stack.move()
  return {
    nodes,
    ports: nodes.map(({ port }) => port),
    redisUrl: environment.REDIS_URL,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function startNode(port: number, environment: Record<string, string>): Promise<GatewayNode> {
  const { PATH = '' } = process.env
  const running = startProcess(process.execPath, [join(ROOT, 'apps/cli/test/command.ts'), 'gateway'], {
    env: { PATH, ...environment, PATCHBAY_GATEWAY_PORT: String(port) },
    cwd: tmpdir(),
  })
  const ended = () => running.child.exitCode !== null
  await waitUntil('the gateway listens', () => ended() || running.output().includes('"msg":"listening"'), {
    deadlineMs: 25_000,
  })
  if (ended()) throw new Error(`the gateway did not start:\n${running.output()}`)
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const isReady = async () => (await ask('/ready')).ok
  return {
    port,
    process: running,
    async restart() {
      running.child.kill('SIGTERM')
      await running.exited
      const next = await startNode(port, environment)
      await waitUntil('the gateway is ready', () => next.isReady(), { deadlineMs: 25_000 })
      return next
    },
    async sockets() {
      const status: { readonly sockets: number } = await (await ask('/status')).json()
      return status.sockets
    },
    isReady,
    [Symbol.asyncDispose]: () => running.kill('SIGKILL'),
  }
}
