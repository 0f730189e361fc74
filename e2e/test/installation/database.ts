import { createLog } from '@patchbay/kernel/log'
import { fingerprintOf, migrate } from '@patchbay/kernel/postgres'
import { serverMigrations } from '@patchbay/server'
import { type ClonedDatabase, cloneDatabase } from '@patchbay/testkit/postgres'

/** A database with the tables of the server, as a file copy. */
export async function preparedDatabase(): Promise<ClonedDatabase> {
  const migrations = await serverMigrations()
  const log = createLog({ level: 'silent', process: 'server' })
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations, log }),
  })
}
