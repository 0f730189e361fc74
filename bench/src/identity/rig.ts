import { type Postgres, startPostgres } from '@patchbay/testkit/postgres'
import { Client } from 'pg'
import { insertPending, type IntentRange } from './intents.ts'
import { type Browser, insertPeople, insertSessions, openBrowsers } from './people.ts'
import { loggedUrl } from './recorded-statements.ts'
import { type RunningServer, startServer } from './server.ts'

/** Connections that the server, the loop and pgbench have each. */
export const CONNECTIONS = 16

/** One PostgreSQL for everybody, one server on it, some people. */
export interface Rig extends AsyncDisposable {
  readonly postgres: Postgres
  readonly databaseUrl: string
  readonly server: RunningServer
  /** The same with its statements logged, for nobody to load. */
  readonly logged: RunningServer
  readonly client: Client
  readonly browsers: readonly Browser[]
  /** Nothing but people's sessions and these intents: nobody pays for the rows that others left. */
  reset(pending?: IntentRange, challenge?: string | null): Promise<void>
}

/** The engine must not be what differs between rounds: no checkpoint and no vacuum happens to fall into one. */
const SETTINGS = {
  shared_buffers: '256MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
}

export async function startRig(): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(await startPostgres({ settings: SETTINGS }))
  const databaseUrl = await postgres.createDatabase('bench')
  const [server, logged] = await Promise.all([
    startServer({ databaseUrl, poolSize: CONNECTIONS }),
    startServer({ databaseUrl: loggedUrl(databaseUrl), poolSize: 1 }),
  ])
  starting.use(server)
  starting.use(logged)
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  starting.defer(() => client.end())
  await insertPeople(client)
  await insertSessions(client)
  const browsers = await openBrowsers(server.port)
  const running = starting.move()
  return {
    postgres,
    databaseUrl,
    server,
    logged,
    client,
    browsers,
    async reset(pending, challenge = null) {
      await client.query('truncate intents, sessions')
      await insertSessions(client)
      if (pending !== undefined) await insertPending(client, pending, challenge)
      await client.query('vacuum analyze')
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
