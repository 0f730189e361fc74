import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess } from '@patchbay/testkit/processes'
import { listens } from '../gateway/side.ts'

export interface ServerStart {
  readonly databaseUrl: string
  readonly redisUrl?: string | undefined
  readonly poolSize: number
  readonly nodeArguments?: readonly string[]
}

export interface RunningServer extends AsyncDisposable {
  readonly port: number
  readonly running: RunningProcess
}

const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))

/** The product as an operator starts it, with the caps out of the way that one address would run into. */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  const port = await freePort()
  const { databaseUrl, redisUrl, poolSize, nodeArguments = process.execArgv } = start
  const running = startProcess(process.execPath, [...nodeArguments, CLI, 'server'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH,
      TMPDIR,
      PATCHBAY_PORT: `${port}`,
      PATCHBAY_PROXY_URL: 'off',
      DATABASE_URL: databaseUrl,
      PATCHBAY_DATABASE_POOL_SIZE: `${poolSize}`,
      PATCHBAY_OBJECTS_URL: pathToFileURL(join(TMPDIR, 'patchbay-bench-objects')).href,
      PATCHBAY_INTENTS_PER_MINUTE: '100000000',
      PATCHBAY_STREAMS_PER_ADDRESS: '1000000',
      PATCHBAY_PANEL_ACTIONS_PER_MINUTE: '100000000',
      PATCHBAY_WORKSPACE_SOCKETS_PER_ADDRESS: '1000000',
      PATCHBAY_DRAIN_SECONDS: '3',
      PATCHBAY_LOG_LEVEL: 'warn',
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    },
  })
  try {
    await listens(running, port)
  } catch (error) {
    await running.kill('SIGKILL')
    throw error
  }
  return { port, running, [Symbol.asyncDispose]: () => running.kill('SIGTERM') }
}
