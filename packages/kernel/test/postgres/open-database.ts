import { cloneDatabase } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import {
  collectMigrations,
  createDatabase,
  type Database,
  type DatabaseOptions,
  fingerprintOf,
  type KernelTables,
  kernelMigrations,
  migrate,
} from '../../src/postgres/index.ts'

/** A database with nothing in it. */
export function emptyDatabase() {
  return cloneDatabase({ fingerprint: '', migrate: async () => {} })
}

/** A database with the tables of this package. */
export async function kernelDatabase() {
  const migrations = await collectMigrations([kernelMigrations])
  return cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

export function connect<Tables = KernelTables>(
  url: string,
  options: Partial<DatabaseOptions> = {},
): Database<Tables> {
  return createDatabase<Tables>({ url, poolSize: 2, applicationName: 'kernel tests', ...options })
}

/** Opens the first connections with patience: on a busy machine that alone can take longer than a short deadline. */
export async function warmUp(database: Database<KernelTables>): Promise<void> {
  await waitUntil('the server answers', async () => {
    const { error } = await outcomeOf(() =>
      Promise.all([sql`select 1`.execute(database.db), database.ping()]),
    )
    return error === undefined
  })
}

/** How long `work` took, and how it ended. */
export async function outcomeOf(
  work: () => Promise<unknown>,
): Promise<{ error: unknown; elapsedMs: number }> {
  const start = performance.now()
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { error, elapsedMs: performance.now() - start }
}
