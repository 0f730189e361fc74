import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { INSTALLATION } from '../../src/installation.ts'
import { markChanged } from '../../src/packages/feed-changes.store.ts'
import { archiveOf } from '../archive.ts'
import { startRegistry, startRegistryNode } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'
import { readFeed } from './reading.ts'

test('[A-400] a change marks the feeds and the sparse file that it makes old, in its own transaction', async () => {
  await using node = await startRegistry()
  const { db } = node
  const now = new Date('2026-01-01')
  const mark = (owner: string, visibility: 'public' | 'private') =>
    db.transaction().execute((tx) => markChanged(tx, { owner, visibility, identifier: `com.${owner}`, now }))
  const rolledBack = db.transaction().execute(async (tx) => {
    await markChanged(tx, { owner: 'eve', visibility: 'public', identifier: 'com.eve', now })
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  await mark('ada', 'public')
  await mark('ada', 'private')
  await mark('bob', 'private')
  const feeds = await db
    .selectFrom('feeds')
    .select(['owner', 'visibility', 'revision'])
    .orderBy('owner')
    .orderBy('visibility')
    .execute()
  expect(feeds.map((feed) => Object.values(feed))).toEqual([
    [INSTALLATION, 'public', 1],
    ['ada', 'private', 2],
    ['ada', 'public', 1],
    ['bob', 'private', 1],
  ])
  expect(await db.selectFrom('sparse_marks').select('identifier').execute()).toEqual([
    { identifier: 'com.ada' },
  ])
})

test('[A-400] publishers that change the same feeds at once do not wait for each other forever', async () => {
  await using node = await startRegistry()
  const marks = Array.from({ length: 40 }, (_, index) =>
    node.db.transaction().execute((tx) =>
      markChanged(tx, {
        owner: index % 2 === 0 ? 'ada' : 'bob',
        visibility: 'public',
        identifier: `com.p${index % 3}`,
        now: new Date(),
      }),
    ),
  )
  await Promise.all(marks)
  const { revision } = await node.db
    .selectFrom('feeds')
    .select('revision')
    .where('owner', '=', INSTALLATION)
    .executeTakeFirstOrThrow()
  expect(revision).toBe(40)
})

deepTest('[A-408] settle says whether what changed before is in the feeds', async () => {
  await using node = await startRegistry()
  await insertPackages(node.db, { owners: 1, perOwner: 2, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  expect(await node.registry.indexer.settle(0)).toBe(false)
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  expect((await readFeed(node)).packages.packages).toHaveLength(2)
})

deepTest('[A-408] the sweep builds what nobody asked for', async () => {
  await using node = await startRegistry({ sweeps: true })
  await insertPackages(node.db, { owners: 1, perOwner: 2, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  const path = '/registry/feeds/tool/o1/repository.json'
  await expect.poll(async () => (await node.ask(path)).status, { timeout: 20_000 }).toBe(200)
})

test('[A-409] a feed beyond the limit answers with advice, costs one row, and comes back when it has shrunk', async () => {
  await using first = await startRegistry({ settings: { feedMaxBytes: 12_000 } })
  const { db } = first
  await insertPackages(db, { owners: 30, perOwner: 2, prefix: 'o' })
  await touch(db, 'o1', 'com.o1.p1', first.deps.clock.now())
  expect(await first.registry.indexer.settle(20_000)).toBe(true)
  const answer = await first.ask('/registry/feeds/tool/repository.json')
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { code: 'feed_too_large', detail: /owners/ },
  ])
  expect((await readFeed(first, '/registry/feeds/tool/o1/repository.json')).packages.packages).toHaveLength(2)

  await touch(db, 'o1', 'com.o1.p2', first.deps.clock.now())
  expect(await first.registry.indexer.settle(20_000)).toBe(true)
  const row = () =>
    db
      .selectFrom('feeds')
      .select(['revision', 'built_revision'])
      .where('owner', '=', INSTALLATION)
      .executeTakeFirst()
  expect(await row()).toEqual({ revision: 2, built_revision: 1 })

  await sql`delete from package_versions`.execute(db)
  await sql`delete from packages where identifier like '%.p2'`.execute(db)
  await sql`update feeds set looked_at = looked_at - interval '61 minutes'`.execute(db)
  await touch(db, 'o1', 'com.o1.p1', first.deps.clock.now())
  expect(await first.registry.indexer.settle(20_000)).toBe(true)
  expect((await readFeed(first)).packages.packages).toHaveLength(30)
})

test('[A-410][A-465] a feed that cannot be built does not keep others from it, and is counted as waiting', async () => {
  await using node = await startRegistry()
  const waiting = async () =>
    (await (await node.ask('/metrics')).text()).match(/^patchbay_feeds_waiting.* (\d+)$/m)?.[1]
  await insertPackages(node.db, { owners: 2, perOwner: 1, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  await touch(node.db, 'o2', 'com.o2.p1', new Date())
  await sql`update feeds set files = '{"packages": null}' where owner = 'o1'`.execute(node.db)
  expect(await node.registry.indexer.settle(20_000, { owner: 'o2', visibility: 'public' })).toBe(true)
  const isLogged = () => node.lines.join().includes('feed build failed')
  await expect.poll(async () => [await node.registry.indexer.settle(100), isLogged()]).toEqual([false, true])
  const statuses = ['o1', 'o2'].map(
    async (owner) => (await node.ask(`/registry/feeds/tool/${owner}/repository.json`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 200])
  // For everybody, and for its members.
  await expect.poll(waiting).toBe('2')
  await sql`update feeds set files = null where owner = 'o1'`.execute(node.db)
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  expect((await node.ask('/registry/feeds/tool/o1/repository.json')).status).toBe(200)
  await expect.poll(waiting).toBe('0')
})

deepTest('[A-415] a brand that is added to the configuration is in all feeds after the start', async () => {
  await using first = await startRegistry({ settings: { brands: [] } })
  await first.as('ada').publish(archiveOf())
  await first.registry.indexer.settle(20_000)
  expect((await first.ask('/registry/feeds/kicad/ada/repository.json')).status).toBe(404)
  const { databaseUrl, folder } = first
  await using second = await startRegistryNode({
    databaseUrl,
    folder,
    sweeps: true,
    settings: { brands: ['kicad'] },
  })
  const path = '/registry/feeds/kicad/ada/repository.json'
  await expect.poll(async () => (await second.ask(path)).status, { timeout: 20_000 }).toBe(200)
  expect((await readFeed(second, path)).packages.packages[0]?.versions[0]).toHaveProperty('kicad_version')
})
