import type { DatabaseUrl } from './database.ts'
import { readApplied } from './migration.store.ts'
import { type Migration, type MigrationPlan, planMigrations } from './migration.ts'
import { withSingleConnection } from './single-connection.ts'

export interface DatabaseState extends MigrationPlan {
  /** As PostgreSQL writes it: 180001 is 18.1. */
  readonly versionNumber: number
  readonly version: string
  readonly maxConnections: number
  /** The clock of the database, before the one that `now` reads when it is positive. */
  readonly aheadMs: number
}

const PATIENCE_MS = 5_000

/** Looks, and changes nothing. */
export async function inspectDatabase(
  url: DatabaseUrl,
  migrations: readonly Migration[],
  now: () => Date,
): Promise<DatabaseState> {
  const connection = { url, applicationName: 'patchbay doctor', queryTimeoutMs: PATIENCE_MS }
  return await withSingleConnection(connection, async (client) => {
    const { rows } = await client.query<
      Omit<DatabaseState, keyof MigrationPlan | 'aheadMs'> & { time: Date; isNew: boolean }
    >(`
      select current_setting('server_version_num')::int as "versionNumber",
        current_setting('server_version') as version,
        current_setting('max_connections')::int as "maxConnections",
        clock_timestamp() as time,
        to_regclass('schema_migrations') is null as "isNew"`)
    const [{ time, isNew, ...state }] = rows as [(typeof rows)[number]]
    const aheadMs = time.getTime() - now().getTime()
    return { ...state, aheadMs, ...planMigrations(migrations, isNew ? [] : await readApplied(client)) }
  })
}
