import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'
import { preparedDatabase } from '../installation/database.ts'

const CLI = fileURLToPath(new URL('../../../apps/cli/test/command.ts', import.meta.url))

export interface ServerProcess extends RunningProcess {
  readonly url: string
  readonly port: number
  /** Everything it has logged, from the first line on. */
  readonly logs: () => string
}

/** Server nodes as an operator runs them: processes that share one PostgreSQL and one Redis. */
export interface Fleet extends AsyncDisposable {
  readonly databaseUrl: string
  readonly redis: RunningRedis
  readonly nodes: readonly ServerProcess[]
  /** Everything the nodes have logged, from the first line on. */
  readonly logs: () => string
  /** The address that pages and applications are told. */
  readonly publicUrl: string
}

export async function startFleet(count: number, environment: Record<string, string> = {}): Promise<Fleet> {
  await using cleanup = new AsyncDisposableStack()
  // Compressed, a dump would hide what it holds.
  const [database, redis] = await Promise.all([
    preparedDatabase(),
    startRedis({ args: ['--rdbcompression', 'no'] }),
  ])
  cleanup.use(database)
  cleanup.use(redis)
  const publicUrl = environment['PATCHBAY_PUBLIC_URL'] ?? 'http://localhost:8790'
  const nodes = await Promise.all(
    Array.from({ length: count }, async () =>
      cleanup.use(
        await startServerProcess({
          DATABASE_URL: database.url,
          REDIS_URL: redis.url,
          PATCHBAY_PUBLIC_URL: publicUrl,
          PATCHBAY_LOG_LEVEL: 'trace',
          ...environment,
        }),
      ),
    ),
  )
  const owned = cleanup.move()
  return {
    databaseUrl: database.url,
    redis,
    nodes,
    publicUrl,
    logs: () => nodes.map((node) => node.logs()).join(''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function startServerProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const port = await freePort()
  const running = startProcess(process.execPath, [CLI, 'server'], {
    env: {
      PATH,
      TMPDIR,
      PATCHBAY_PORT: String(port),
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_DRAIN_SECONDS: '5',
      ...environment,
    },
    cwd: TMPDIR,
  })
  const lines: string[] = []
  for (const stream of [running.child.stdout, running.child.stderr]) {
    stream?.on('data', (chunk: Buffer) => void lines.push(chunk.toString('utf8')))
  }
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    return answer?.ok === true
  }
  await waitUntil('the server is ready', isReady, { deadlineMs: 60_000 }).catch((error: unknown) => {
    throw new Error(`the server did not start, ${String(error)}:\n${running.output()}`, { cause: error })
  })
  return Object.assign(running, { url, port, logs: () => lines.join('') })
}
