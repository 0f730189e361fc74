import { startPostgres } from '@patchbay/testkit/postgres'
import { startRedis } from '@patchbay/testkit/redis'
import { Client } from 'pg'
import { insertPeople, insertSessions } from '../identity/people.ts'
import { startServer } from '../identity/server.ts'

/** One PostgreSQL and one Redis for everybody, with people in it. */
export interface Rig extends AsyncDisposable {
  readonly databaseUrl: string
  readonly redisUrl: string
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
  const redis = starting.use(await startRedis())
  const databaseUrl = await postgres.createDatabase('bench')
  // Makes the tables.
  await (await startServer({ databaseUrl, poolSize: 1 }))[Symbol.asyncDispose]()
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await insertPeople(client)
  await insertSessions(client)
  await client.end()
  const running = starting.move()
  return { databaseUrl, redisUrl: redis.url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
