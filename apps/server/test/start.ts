import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { fingerprintOf, migrate } from '@patchbay/kernel/postgres'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { serverConfig, serverMigrations, startServer } from '../src/index.ts'

/** A database with the server's tables, as a file copy. */
export async function migratedDatabase() {
  const migrations = await serverMigrations()
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

/** A database without tables. */
export async function emptyDatabase() {
  return await cloneDatabase({ fingerprint: 'nothing', migrate: async () => {} })
}

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly lines: readonly string[]
  ask(path: string, init?: RequestInit): Promise<Response>
}

/** The server in this process, on a free port and a database of its own unless a test passes one. */
export async function startTestServer(
  environment: Record<string, string> = {},
  {
    awaitsDatabase = true,
    node = 'test-1',
  }: { readonly awaitsDatabase?: boolean; readonly node?: string } = {},
): Promise<TestServer> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-server-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const database =
    environment['DATABASE_URL'] === undefined ? cleanup.use(await migratedDatabase()) : undefined
  const config = readConfig(serverConfig, {
    PATCHBAY_PORT: '0',
    PATCHBAY_PROXY_PORT: '0',
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...environment,
  })
  const lines: string[] = []
  const log = createLog({
    level: 'debug',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const lifecycle = new Lifecycle(log)
  cleanup.defer(async () => void (await lifecycle.stop(5_000)))
  const { url, prepared } = await startServer({
    config,
    log,
    clock: systemClock,
    node,
    lifecycle,
    createSecret: () => randomBytes(32).toString('base64url'),
  })
  if (awaitsDatabase) await prepared
  const owned = cleanup.move()
  return {
    url,
    lines,
    ask: (path, init) => fetch(url + path, init),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const CLI = fileURLToPath(new URL('../../cli/test/command.ts', import.meta.url))

/** The server as an operator starts it: a process with an environment. */
export function startServerProcess(environment: Record<string, string>): RunningProcess {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  return startProcess(process.execPath, [CLI, 'server'], {
    env: { PATH, TMPDIR, PATCHBAY_PORT: '0', PATCHBAY_PROXY_PORT: '0', ...environment },
    cwd: TMPDIR,
  })
}

/** The same, once it listens. */
export async function spawnServer(
  environment: Record<string, string>,
): Promise<RunningProcess & { readonly url: string }> {
  const running = startServerProcess(environment)
  const listening = () => /"url":"(http:[^"]+)"/.exec(running.output())?.[1]
  await waitUntil('the server listens', () => listening() !== undefined, { deadlineMs: 60_000 }).catch(
    (error: unknown) => {
      throw new Error(`the server did not start:\n${running.output()}`, { cause: error })
    },
  )
  return Object.assign(running, { url: listening() ?? '' })
}
