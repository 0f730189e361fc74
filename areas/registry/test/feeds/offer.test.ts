import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startRegistry } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'

test('[A-435] the served brands are named, and whether there is a feed of everything', async () => {
  await using node = await startRegistry({
    settings: { brands: ['kicad', 'horizon'], feedMaxBytes: 12_000 },
  })
  const offer = async () => (await node.ask('/registry/feeds')).json() as Promise<unknown>
  const brands = ['kicad', 'horizon', 'tool']
  expect(await offer()).toEqual({ brands, whole_feed: 'served' })
  await insertPackages(node.db, { owners: 30, perOwner: 2, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', node.deps.clock.now())
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  await expect.poll(offer, { timeout: 20_000 }).toEqual({ brands, whole_feed: 'too_large' })

  await sql`delete from package_versions`.execute(node.db)
  await sql`delete from packages where identifier like '%.p2'`.execute(node.db)
  await sql`update feeds set looked_at = looked_at - interval '61 minutes'`.execute(node.db)
  await touch(node.db, 'o1', 'com.o1.p1', node.deps.clock.now())
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  await expect.poll(offer, { timeout: 20_000 }).toEqual({ brands, whole_feed: 'served' })
})

test('[A-435] without brands there is the neutral one', async () => {
  await using node = await startRegistry({ settings: { brands: [] } })
  const answer = await node.ask('/registry/feeds')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(await answer.json()).toEqual({ brands: ['tool'], whole_feed: 'served' })
})
