import { Client } from 'pg'
import { type DatabaseUrl, revealUrl } from './database.ts'
import { asProblem, unavailable } from './errors.ts'

export interface SingleConnection {
  readonly url: DatabaseUrl
  /** What an operator sees in `pg_stat_activity`. */
  readonly applicationName: string
  /** Unset, a statement may take as long as it takes. */
  readonly queryTimeoutMs?: number
}

const CONNECT_MS = 5_000

/** Outside of any pool, for commands. What was begun and not committed is gone with the connection. */
export async function withSingleConnection<T>(
  { url, applicationName, queryTimeoutMs }: SingleConnection,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: revealUrl(url),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  try {
    return await work(client)
  } catch (error) {
    throw asProblem(error)
  } finally {
    await client.end()
  }
}
