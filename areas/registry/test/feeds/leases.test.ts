import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '@patchbay/kernel/postgres'
import { deepTest, depth, isDeep } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { RetryPauses } from '../../src/feeds/builder.store.ts'
import { buildAlone } from '../../src/feeds/index-lock.store.ts'
import { createIndexer } from '../../src/feeds/indexer.store.ts'
import type { RegistryTables } from '../../src/tables.ts'
import { archiveOf } from '../archive.ts'
import { NO_INDEXER, startRegistry, startRegistryNode } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'
import { readFeed } from './reading.ts'

test('[A-419] a build may take longer than a transaction may be idle, and nobody else builds meanwhile', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await using database = createDatabase<RegistryTables>({
    url: node.databaseUrl,
    poolSize: 2,
    applicationName: 'impatient',
    statementTimeoutMs: 200,
  })
  const gate = Promise.withResolvers<void>()
  let builders = 0
  const work = async () => {
    builders += 1
    await gate.promise
  }
  const times = { leaseMs: 3_000, longestMs: 60_000 }
  const until = async () =>
    (await node.db.selectFrom('index_leases').select('until').executeTakeFirst())?.until
  const first = buildAlone(database.db, work, times)
  await expect.poll(until).toBeDefined()
  const begun = await until()
  // Prolonged, after more than a transaction may be idle.
  await expect.poll(until).not.toEqual(begun)
  expect(await buildAlone(database.db, work, times)).toBe(false)
  gate.resolve()
  expect(await first).toBe(true)
  expect(builders).toBe(1)
  expect(await buildAlone(database.db, async () => undefined, times)).toBe(true)
})

deepTest('[A-419] who stalls is replaced once the lease has run out', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const gate = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const stall = () => {
    taken.resolve()
    return gate.promise
  }
  // Prolonged never, as by a node that was killed.
  const stalled = buildAlone(node.db, stall, { leaseMs: 60_000, longestMs: 0 })
  await taken.promise
  expect(await buildAlone(node.db, async () => undefined)).toBe(false)
  await sql`update index_leases set until = now() - interval '1 s'`.execute(node.db)
  expect(await buildAlone(node.db, async () => undefined)).toBe(true)
  gate.resolve()
  await stalled
})

deepTest('[A-419] one connection is enough to build', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node.as('ada').publish(archiveOf())
  await using database = createDatabase<RegistryTables>({
    url: node.databaseUrl,
    poolSize: 1,
    applicationName: 'single',
  })
  const indexer = createIndexer({ ...node.deps, db: database.db })
  expect(await indexer.settle(20_000)).toBe(true)
  await indexer.stop()
  expect((await readFeed(node)).packages.packages).toHaveLength(1)
})

deepTest('[A-408] a change waits for its own feeds, and not for one that cannot be built', async () => {
  await using node = await startRegistry()
  await insertPackages(node.db, { owners: 2, perOwner: 1, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  await touch(node.db, 'o2', 'com.o2.p1', new Date())
  await sql`update feeds set files = '{"packages": null}' where owner = 'o1'`.execute(node.db)
  const { indexer } = node.registry
  expect(await indexer.settle(20_000, { owner: 'o2', visibility: 'public' })).toBe(true)
  expect(await indexer.settle(500, { owner: 'o1', visibility: 'public' })).toBe(false)
})

deepTest('[A-410] what fails is tried again after a pause that grows up to a minute', async () => {
  const pauses = new RetryPauses()
  const waits = Array.from({ length: 9 }, () => {
    pauses.fail('feed', 0)
    let wait = 0
    while (!pauses.isOver('feed', wait)) wait += 500
    return wait
  })
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  pauses.succeed('feed')
  expect([pauses.isOver('feed', 0), pauses.isOver('other', 0)]).toEqual([true, true])

  await using node = await startRegistry()
  await insertPackages(node.db, { owners: 1, perOwner: 1, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  await sql`update feeds set files = '{"packages": null}' where owner = 'o1' and visibility = 'public'`.execute(
    node.db,
  )
  const failures = () => node.lines.filter((line) => line.includes('feed build failed')).length
  const begun = performance.now()
  const isBuilt = () => node.registry.indexer.settle(100)
  await expect.poll(async () => [await isBuilt(), failures() > 1]).toEqual([false, true])
  // RetryPauses of half a second, one, two: as often as fits into the time that it took.
  expect(failures()).toBeLessThanOrEqual(1 + Math.log2(1 + (performance.now() - begun) / 500))
})

deepTest('[A-415] a changed address and a removed brand are followed after the start', async () => {
  await using first = await startRegistry()
  await first.as('ada').publish(archiveOf())
  await first.registry.indexer.settle(20_000)
  const { databaseUrl, folder } = first
  const settings = { brands: [], publicUrl: 'http://new.localhost' }
  await using second = await startRegistryNode({ databaseUrl, folder, sweeps: true, settings })
  const status = async (path: string) => (await second.ask(path)).status
  expect(await status('/registry/feeds/kicad/ada/repository.json')).toBe(404)
  expect(await status('/registry/sparse/kicad/com.example.blinky.json')).toBe(404)
  const text = async () => (await second.ask('/registry/feeds/tool/ada/repository.json')).text()
  await expect.poll(text, { timeout: 20_000 }).toContain('http://new.localhost/')
  const rows = async () => JSON.stringify(await second.db.selectFrom('feeds').select('files').execute())
  await expect.poll(rows, { timeout: 20_000 }).not.toContain('"kicad"')
})

test('[A-430] of two nodes with different settings the one that started last decides', async () => {
  await using old = await startRegistry({ sweeps: true, settings: { repositoryName: 'Old' } })
  await old.as('ada').publish(archiveOf({ version: '1.0' }))
  await old.registry.indexer.settle(20_000)
  const { databaseUrl, folder } = old
  const options = { databaseUrl, folder, sweeps: true, node: 'test-2' }
  await using young = await startRegistryNode({ ...options, settings: { repositoryName: 'New' } })
  const path = '/registry/feeds/tool/ada/repository.json'
  const name = async () => ((await (await young.ask(path)).json()) as { name: string }).name
  await expect.poll(name, { timeout: 20_000 }).toBe('New: ada')
  await old.as('ada').publish(archiveOf({ version: '1.1' }))
  await expect
    .poll(async () => (await readFeed(young, path)).packages.packages[0]?.versions.length, {
      timeout: 20_000,
    })
    .toBe(2)
  const built = () =>
    young.db.selectFrom('feeds').select(['owner', 'built_revision']).orderBy('owner').execute()
  await young.registry.indexer.settle(20_000)
  const before = await built()
  // Nothing happens: neither when the old one looks again, nor with a sweep of either.
  await old.registry.indexer.settle(100)
  await sleep(depth({ common: 0, deep: 2_500 }))
  expect(await built()).toEqual(before)
  expect(await name()).toBe('New: ada')

  await young.registry.indexer.stop()
  await sql`update index_leases set until = now() - interval '1 s' where name = 'settings'`.execute(old.db)
  // In the deep run the old one finds out by a sweep of its own.
  const nameAfterLooking = async () => {
    if (!isDeep) await old.registry.indexer.settle(100)
    return await name()
  }
  await expect.poll(nameAfterLooking, { timeout: 20_000 }).toBe('Old: ada')
}, 60_000)
