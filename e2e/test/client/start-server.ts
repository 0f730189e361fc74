import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { IdentityTables } from '@patchbay/identity'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { createDatabase } from '@patchbay/kernel/postgres'
import { serverConfig, startServer } from '@patchbay/server'
import { forgetAtExit, removeAtExit } from '@patchbay/testkit/leftovers'
import { freePort, withFreePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type Books, sha256 } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { createPerson, type Person } from './person.ts'

export const CLI = fileURLToPath(new URL('../../../apps/cli/test/command.ts', import.meta.url))

/** A server with a person who has an account there. */
export interface ClientServer extends AsyncDisposable, Books {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  readonly ada: Person
  /** Changes an intent in the database: time passes there, or somebody else was quicker. */
  setIntent(token: string, change: { readonly expires_at?: Date; readonly retriever?: Buffer }): Promise<void>
}

/** The same as a process, as an operator runs it. */
export interface ClientServerProcess extends ClientServer {
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again, on the same port and database. */
  start(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** In the process of the test: a process of its own costs seconds. */
export async function startClientServer(environment: Environment = {}): Promise<ClientServer> {
  await using cleanup = new AsyncDisposableStack()
  const prepared = cleanup.use(await prepare())
  const log = createLog({ level: 'silent', process: 'server' })
  const lifecycle = new Lifecycle(log)
  cleanup.defer(async () => void (await lifecycle.stop(5_000)))
  const port = await withFreePort(async (free) => {
    const config = readConfig(serverConfig, prepared.variables(free, environment))
    const server = await startServer({
      config,
      log,
      clock: systemClock,
      node: 'client-1',
      lifecycle,
      createSecret: () => randomBytes(32).toString('base64url'),
    })
    await server.prepared
    return free
  })
  return await inhabit(prepared, port, cleanup.move())
}

const shared = new Map<string, Promise<ClientServer>>()

/** One for all test files of a process, which ends with it. Whoever changes more than their own has one of their own. */
export async function sharedClientServer(environment: Environment = {}): Promise<ClientServer> {
  const key = JSON.stringify(environment)
  const known = shared.get(key)
  if (known !== undefined) return await known
  const started = startClientServer(environment)
  shared.set(key, started)
  // The next file tries anew, instead of failing for what may have passed.
  started.catch(() => shared.delete(key))
  return await started
}

export async function startClientServerProcess(environment: Environment = {}): Promise<ClientServerProcess> {
  await using cleanup = new AsyncDisposableStack()
  const prepared = cleanup.use(await prepare())
  const port = await freePort()
  let running: RunningProcess | undefined
  const kill = async () => await running?.kill('SIGKILL')
  cleanup.defer(kill)
  const start = async () => {
    const { PATH = '' } = process.env
    running = startProcess(process.execPath, [CLI, 'server'], {
      cwd: prepared.folder,
      env: { PATH, TMPDIR: prepared.folder, ...prepared.variables(port, environment) },
    })
    const isReady = () =>
      fetch(`http://localhost:${port}/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    await waitUntil('the server is ready', isReady, { deadlineMs: 50_000 }).catch((error: unknown) => {
      throw new Error(`the server did not start, ${String(error)}:\n${running?.output()}`, { cause: error })
    })
  }
  await start()
  return Object.assign(await inhabit(prepared, port, cleanup.move()), { kill, start })
}

interface Prepared extends AsyncDisposable, Books {
  readonly folder: string
  readonly databaseUrl: string
  variables(port: number, more: Environment): Record<string, string>
}

async function prepare(): Promise<Prepared> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-client-'))
  const removeNow = () => rmSync(folder, { recursive: true, force: true })
  removeAtExit(removeNow)
  cleanup.defer(async () => {
    forgetAtExit(removeNow)
    await rm(folder, { recursive: true, force: true })
  })
  const database = cleanup.use(await preparedDatabase())
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 2, applicationName: 'test' }),
  )
  const owned = cleanup.move()
  return {
    folder,
    databaseUrl: database.url,
    db,
    variables: (port, more) => ({
      DATABASE_URL: database.url,
      PATCHBAY_PORT: String(port),
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
      PATCHBAY_INTENTS_PER_MINUTE: '100000',
      ...more,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function inhabit(
  { db, databaseUrl }: Prepared,
  port: number,
  owned: AsyncDisposableStack,
): Promise<ClientServer> {
  const url = `http://localhost:${port}`
  return {
    url,
    port,
    databaseUrl,
    db,
    ada: await createPerson({ db, url }),
    async setIntent(token, change) {
      const { numUpdatedRows } = await db
        .updateTable('intents')
        .set(change.retriever === undefined ? change : { ...change, consumed_at: new Date() })
        .where('token_hash', '=', sha256(token))
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new Error('there is no such intent')
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export const randomHash = () => randomBytes(32)
