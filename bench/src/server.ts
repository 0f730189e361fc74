import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Postgres, startPostgres } from '@patchbay/testkit/postgres'
import { Client } from 'pg'
import { type RunningNode, startProduct } from './processes.ts'

/** Connections to the database that a server has, and whoever sends its statements beside it. */
export const CONNECTIONS = 16

export interface Database extends AsyncDisposable {
  readonly postgres: Postgres
  readonly url: string
  readonly client: Client
}

/** The engine must not be what differs between rounds: no checkpoint and no vacuum happens to fall into one. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  maintenance_work_mem: '512MB',
}

export async function startDatabase(): Promise<Database> {
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(await startPostgres({ settings: SETTINGS }))
  const { url, client } = starting.use(await addDatabase(postgres, 'bench'))
  const running = starting.move()
  return { postgres, url, client, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export async function addDatabase(postgres: Postgres, name: string): Promise<Database> {
  const url = await postgres.createDatabase(name)
  const client = new Client({ connectionString: url })
  await client.connect()
  return { postgres, url, client, [Symbol.asyncDispose]: () => client.end() }
}

export interface ServerStart {
  readonly databaseUrl: string
  readonly redisUrl?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
}

/** With the caps out of the way that one address would run into. */
export function startServer({
  databaseUrl,
  redisUrl,
  env,
  nodeArguments,
}: ServerStart): Promise<RunningNode> {
  const unlimited = '100000000'
  const all = {
    PATCHBAY_PROXY_URL: 'off',
    DATABASE_URL: databaseUrl,
    PATCHBAY_DATABASE_POOL_SIZE: `${CONNECTIONS}`,
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(tmpdir(), 'patchbay-bench-objects')).href,
    PATCHBAY_INTENTS_PER_MINUTE: unlimited,
    PATCHBAY_PANEL_ACTIONS_PER_MINUTE: unlimited,
    PATCHBAY_PUBLISHES_PER_MINUTE: unlimited,
    PATCHBAY_SEARCHES_PER_MINUTE: unlimited,
    PATCHBAY_STREAMS_PER_ADDRESS: '1000000',
    PATCHBAY_WORKSPACE_SOCKETS_PER_ADDRESS: '1000000',
    REDIS_URL: redisUrl,
    ...env,
  }
  return startProduct('server', all, nodeArguments)
}
