import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { createLog } from '@patchbay/kernel/log'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createDatabase } from '@patchbay/kernel/postgres'
import { SettableClock } from '@patchbay/testkit/clock'
import { depth } from '@patchbay/testkit/depth'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import { selectPage } from '../../src/feeds/feed-read.store.ts'
import { createIndexer } from '../../src/feeds/indexer.store.ts'
import type { RegistryTables } from '../../src/tables.ts'
import { migratedDatabase, temporaryFolder } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'

interface Cost {
  statements: number
  /** That the statements answered. */
  rows: number
  puts: number
  bytes: number
}

function counted(objects: ObjectStore, cost: Cost): ObjectStore {
  return {
    ...objects,
    async put(source, options) {
      const stored = await objects.put(source, options)
      cost.puts += 1
      cost.bytes += stored.size
      return stored
    },
    [Symbol.asyncDispose]: () => objects.close(),
  }
}

const OWNERS = depth({ common: 100, deep: 300 })

test(`[A-414] one publish costs the same with ${OWNERS * 10} and with ${OWNERS * 100} packages of other owners`, async () => {
  await using folder = await temporaryFolder()
  await using cloned = await migratedDatabase()
  const cost: Cost = { statements: 0, rows: 0, puts: 0, bytes: 0 }
  await using database = createDatabase<RegistryTables>({
    url: cloned.url,
    poolSize: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'cost',
  })
  const { db } = database
  const notes: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      cost.statements += 1
      cost.rows += result.rows.length
      return result
    },
  }
  const clock = new SettableClock()
  await using bus = createInProcessBus({ node: 'cost', clock })
  await mkdir(join(folder.path, 'spool'))
  const indexer = createIndexer({
    db: db.withPlugin(notes),
    clock,
    wakeups: bus.wakeups,
    objects: counted(await createFileObjects({ root: join(folder.path, 'objects') }), cost),
    log: createLog({ level: 'silent', process: 'test' }),
    settings: {
      publicUrl: 'http://patchbay.localhost',
      repositoryName: 'Test',
      brands: ['kicad'],
      maxArchiveBytes: 1,
      feedMaxBytes: 100_000,
      publishesPerMinute: 1,
      importsPerMinute: 1,
      auditKeptDays: 730,
      searchesPerMinute: 1,
      spoolFolder: join(folder.path, 'spool'),
    },
  })
  const measure = async () => {
    await touch(db, 'a1', 'com.a1.p1', clock.now())
    const before = { ...cost }
    expect(await indexer.settle(60_000)).toBe(true)
    const after = { ...cost }
    return {
      statements: after.statements - before.statements,
      rows: after.rows - before.rows,
      puts: after.puts - before.puts,
      bytes: after.bytes - before.bytes,
    }
  }

  await insertPackages(db, { owners: OWNERS, perOwner: 10, prefix: 'a' })

  await sql`analyze`.execute(db)
  await measure()
  const few = await measure()
  expect(few.rows).toBeLessThan(100)
  await insertPackages(db, { owners: 9 * OWNERS, perOwner: 10, prefix: 'b' })
  await sql`analyze`.execute(db)
  const many = await measure()
  await indexer.stop()

  // Leases are prolonged by time, with a statement or two more on a slow machine.
  expect(many).toEqual({
    puts: few.puts,
    statements: expect.closeTo(few.statements, -1) as number,
    rows: expect.closeTo(few.rows, -1) as number,
    bytes: expect.closeTo(few.bytes, -3) as number,
  })
  const plans = [
    selectPage(db, { owner: 'a1', visibility: 'private' }, 'com.a1.p1'),
    selectPage(db, { owner: '', visibility: 'public' }, 'com.a1.p1'),
  ].map((query) => query.explain())
  for (const plan of await Promise.all(plans)) expect(JSON.stringify(plan)).not.toMatch(/Seq Scan|Sort Key/)
}, 120_000)
