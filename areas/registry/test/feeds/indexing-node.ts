import { join } from 'node:path'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { createLog } from '@patchbay/kernel/log'
import { createFileObjects } from '@patchbay/kernel/objects'
import { createDatabase } from '@patchbay/kernel/postgres'
import { createIndexer } from '../../src/feeds/indexer.store.ts'
import type { RegistryTables } from '../../src/tables.ts'

/** A process that does nothing but index, until it is killed. */
const [, , databaseUrl = '', folder = ''] = process.argv
const { db } = createDatabase<RegistryTables>({ url: databaseUrl, poolSize: 4, applicationName: 'victim' })
const indexer = createIndexer({
  db,
  clock: systemClock,
  log: createLog({ level: 'silent', process: 'victim' }),
  objects: await createFileObjects({ root: join(folder, 'objects') }),
  wakeups: createInProcessBus({ node: 'victim', clock: systemClock }).wakeups,
  settings: {
    publicUrl: 'http://patchbay.localhost',
    repositoryName: 'Test',
    brands: ['kicad'],
    maxArchiveBytes: 1,
    feedMaxBytes: 10 * 1024 * 1024,
    publishesPerMinute: 1,
    importsPerMinute: 1,
    auditKeptDays: 730,
    searchesPerMinute: 1,
    spoolFolder: join(folder, 'spool'),
  },
})
process.stdout.write('ready\n')
for (;;) {
  await indexer.settle(1_000).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
