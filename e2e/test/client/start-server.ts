import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type Books, sha256 } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { createPerson, type Person } from './person.ts'

export const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))

/** A server as an operator runs it, with a person who has an account there. */
export interface ClientServer extends AsyncDisposable, Books {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  readonly ada: Person
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again, on the same port and database. */
  start(): Promise<void>
  /** Changes an intent in the database: time passes there, or somebody else was quicker. */
  setIntent(token: string, change: { readonly expires_at?: Date; readonly retriever?: Buffer }): Promise<void>
}

export async function startClientServer(environment: Record<string, string> = {}): Promise<ClientServer> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-client-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const database = cleanup.use(await preparedDatabase())
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 2, applicationName: 'test' }),
  )
  const port = await freePort()
  const url = `http://localhost:${port}`
  let running: RunningProcess | undefined
  const kill = async () => await running?.kill('SIGKILL')
  cleanup.defer(kill)
  const start = async () => {
    const { PATH = '' } = process.env
    running = startProcess(process.execPath, [CLI, 'server'], {
      cwd: folder,
      env: {
        PATH,
        TMPDIR: folder,
        DATABASE_URL: database.url,
        PATCHBAY_PORT: String(port),
        PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
        PATCHBAY_INTENTS_PER_MINUTE: '100000',
        ...environment,
      },
    })
    const isReady = () =>
      fetch(`${url}/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    await waitUntil('the server is ready', isReady, { deadlineMs: 50_000 }).catch((error: unknown) => {
      throw new Error(`the server did not start:\n${running?.output()}`, { cause: error })
    })
  }
  await start()
  const ada = await createPerson({ db, url })
  const owned = cleanup.move()
  return {
    url,
    port,
    databaseUrl: database.url,
    db,
    ada,
    kill,
    start,
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
