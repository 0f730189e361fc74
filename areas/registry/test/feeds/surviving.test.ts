import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { migratedDatabase, startRegistry, startRegistryNode, temporaryFolder } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'
import { readFeed } from './reading.ts'
import { watchFeed } from './watching.ts'

const FEED = '/registry/feeds/kicad/repository.json'
const PATIENT = { deadlineMs: 30_000 }

deepTest(
  '[A-411] two nodes index at once, and whoever reads finds every file with the right hash',
  async () => {
    await using one = await startRegistry({ clock: systemClock })
    const { databaseUrl, folder } = one
    // Buses of their own: neither hears of what the other has built.
    await using bus = createInProcessBus({ node: 'test-2', clock: systemClock })
    await using two = await startRegistryNode({
      databaseUrl,
      folder,
      node: 'test-2',
      bus,
      clock: systemClock,
    })
    await insertPackages(one.db, { owners: 3, perOwner: 20, prefix: 'o' })
    await touch(one.db, 'o1', 'com.o1.p1', new Date())
    await one.registry.indexer.settle(30_000)

    const watchers = [watchFeed(one, FEED), watchFeed(two, FEED)]
    for (let round = 1; round <= depth({ common: 2, deep: 6 }); round += 1) {
      await Promise.all([
        touch(one.db, 'o1', `com.o1.p${round}`, new Date()),
        touch(two.db, 'o2', `com.o2.p${round}`, new Date()),
      ])
      await Promise.all([one.registry.indexer.settle(30_000), two.registry.indexer.settle(30_000)])
    }
    await expect.poll(() => Math.min(...watchers.map(({ states }) => states()))).toBeGreaterThan(3)
    await Promise.all(watchers.map((watcher) => watcher[Symbol.asyncDispose]()))
    expect(watchers.map(({ faults }) => faults)).toEqual([[], []])
    // A node that was not told notices within a second; which of the two that is depends on who built last.
    await waitUntil('both show the same', async () =>
      isDeepStrictEqual((await readFeed(one, FEED)).repository, (await readFeed(two, FEED)).repository),
    )
    const text = JSON.stringify((await readFeed(one, FEED)).packages)
    const descriptions = await one.db.selectFrom('packages').select('metadata').execute()
    expect(descriptions.filter(({ metadata }) => !text.includes(String(metadata['description'])))).toEqual([])
  },
  120_000,
)

// Databases of their own: what one of them does to its processes or its server is nothing to the other.
test.concurrent('[A-412] nodes that are killed while they build leave a whole index, and another finishes', async () => {
  await using node = await startRegistry({ clock: systemClock })
  await insertPackages(node.db, { owners: 2, perOwner: 80, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  expect(await node.registry.indexer.settle(30_000)).toBe(true)
  const watcher = watchFeed(node, FEED)
  const program = fileURLToPath(new URL('indexing-node.ts', import.meta.url))
  const rounds = depth({ common: 2, deep: 10 })
  for (let round = 1; round <= rounds; round += 1) {
    const victim = spawn(process.execPath, [program, node.databaseUrl, node.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(victim.stdout, 'data')
    await touch(node.db, 'o1', `com.o1.p${round}`, new Date())
    // Somewhere between reading, compressing, putting and committing.
    await sleep(round * 35)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
  }
  expect(await node.registry.indexer.settle(30_000)).toBe(true)
  await waitUntil('it was read often', () => watcher.states() > 3)
  await watcher[Symbol.asyncDispose]()
  expect(watcher.faults).toEqual([])
  const { metadata } = await node.db
    .selectFrom('packages')
    .select('metadata')
    .where('identifier', '=', `com.o1.p${rounds}`)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify((await readFeed(node, FEED)).packages)).toContain(String(metadata['description']))
}, 300_000)

test.concurrent('[A-413] the index comes through a restart of PostgreSQL by itself', async () => {
  await using postgres = await startPostgres()
  await using database = await migratedDatabase(postgres.url())
  await using folder = await temporaryFolder()
  const options = { databaseUrl: database.url, folder: folder.path, clock: systemClock, sweeps: true }
  await using node = await startRegistryNode(options)
  await insertPackages(node.db, { owners: 1, perOwner: 20, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  await node.registry.indexer.settle(30_000)
  const watcher = watchFeed(node, FEED, (error) => String(error).includes('answers 503'))
  await touch(node.db, 'o1', 'com.o1.p2', new Date())
  await postgres.kill()
  await sleep(500)
  await postgres.restart()
  const marker = async () => {
    await touch(node.db, 'o1', 'com.o1.p3', new Date())
    return true
  }
  await waitUntil('it is written again', () => marker().catch(() => false), PATIENT)
  const behind = () =>
    node.db.selectFrom('feeds').select('owner').whereRef('built_revision', '<', 'revision').execute()
  const isBuilt = () =>
    behind().then(
      (feeds) => feeds.length === 0,
      () => false,
    )
  await waitUntil('every feed is built', isBuilt, PATIENT)
  await watcher[Symbol.asyncDispose]()
  expect(watcher.faults).toEqual([])
}, 120_000)
