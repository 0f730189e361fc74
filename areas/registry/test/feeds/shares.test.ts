import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { batchesOf } from '../../src/feeds/record-batches.ts'
import { createShares } from '../../src/feeds/shares.ts'
import { archiveOf } from '../archive.ts'
import { seedPackages } from '../seed.ts'
import { startRegistry } from '../start.ts'
import { touch } from './many-packages.ts'
import { readFeed } from './reading.ts'

const KIB = 1024

test('[A-417] one owner cannot make the installation’s feed too large for everybody', async () => {
  await using node = await startRegistry({ settings: { feedMaxBytes: 40_000 } })
  const { db } = node
  const text = 'x'.repeat(3_000)
  const eves = Array.from({ length: 20 }, (_, index) => `com.eve.p${String(index).padStart(2, '0')}`)
  await seedPackages(
    db,
    eves.map((identifier) => ({ identifier, owner: 'eve', package: { junk: text } })),
  )
  await seedPackages(db, [
    { identifier: 'com.bob.good', owner: 'bob' },
    { identifier: 'com.zed.huge', owner: 'zed', package: { junk: 'x'.repeat(300 * KIB) } },
  ])
  await touch(db, 'eve', 'com.eve.p00', new Date())
  await touch(db, 'zed', 'com.zed.huge', new Date())
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  const listed = (await readFeed(node)).packages.packages.map(({ identifier }) => identifier)
  expect(listed).toEqual(['com.bob.good', 'com.eve.p00', 'com.eve.p01'])
  expect(node.lines.join()).toContain('over their share of its size')
  const own = await readFeed(node, '/registry/feeds/tool/eve/repository.json')
  expect(own.packages.packages.map(({ identifier }) => identifier)).toEqual(eves)
  const huge = await readFeed(node, '/registry/feeds/tool/zed/repository.json')
  expect(huge.packages.packages).toHaveLength(1)
})

deepTest('[A-417] where there is room for all, one owner may have more than a quarter', async () => {
  await using node = await startRegistry({ settings: { feedMaxBytes: 40_000 } })
  const own = ['com.ada.a', 'com.ada.b', 'com.ada.c', 'com.ada.d', 'com.ada.e']
  await seedPackages(
    node.db,
    own.map((identifier) => ({ identifier, owner: 'ada', package: { junk: 'x'.repeat(3_000) } })),
  )
  await touch(node.db, 'ada', 'com.ada.a', new Date())
  expect(await node.registry.indexer.settle(20_000)).toBe(true)
  const listed = (await readFeed(node)).packages.packages.map(({ identifier }) => identifier)
  expect(listed).toEqual(own)
})

test('[A-417] a package beyond the bound takes no room, and smaller ones after it still fit', () => {
  const shares = createShares(1_000)
  const take = (identifier: string, bytes: number) => shares.take({ identifier, owner: 'eve' }, bytes)
  expect([take('a', 200), take('b', 100), take('c', 50), take('d', 1)]).toEqual([true, false, true, false])
  expect(shares.take({ identifier: 'e', owner: 'bob' }, 250)).toBe(true)
  expect(shares.isWanted({ identifier: 'f', bytes: 600 * KIB })).toBe(false)
  expect(createShares(10_000 * KIB).take({ identifier: 'g', owner: 'x' }, 257 * KIB)).toBe(false)
  expect(shares.leftOut).toEqual(['b', 'd', 'f'])
})

test('[A-418] a batch has a bounded number of bytes, or one package', () => {
  const sizes = [1, 2, 9, 1, 1, 1]
  const packages = sizes.map((bytes, index) => ({ identifier: String(index), bytes }))
  const batches = [...batchesOf(packages, 3)].map((batch) => batch.map(({ bytes }) => bytes))
  expect(batches).toEqual([[1, 2], [9], [1, 1, 1]])
  expect([...batchesOf([], 3)]).toEqual([])
})

deepTest(
  '[A-418] packages with much text are all in the feed, in their order',
  async () => {
    await using node = await startRegistry()
    const identifiers = ['com.ada.a', 'com.ada.b', 'com.ada.c']
    // Two of them are more than a batch.
    const versions = Array.from({ length: 9 }, () => ({ junk: 'y'.repeat(250_000) }))
    await seedPackages(
      node.db,
      identifiers.map((identifier) => ({ identifier, owner: 'ada', versions })),
    )
    await touch(node.db, 'ada', 'com.ada.a', new Date())
    expect(await node.registry.indexer.settle(30_000)).toBe(true)
    const { packages } = await readFeed(node, '/registry/feeds/tool/ada/repository.json')
    expect(packages.packages.map(({ identifier, versions: all }) => [identifier, all.length])).toEqual(
      identifiers.map((identifier) => [identifier, 9]),
    )
  },
  60_000,
)

deepTest('[A-403] a delisted package shows the keys of the contract and nothing else', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  await ada.publish(archiveOf({ package: { junk: 'x'.repeat(1_000) } }))
  await ada.change('PATCH', '/registry/owners/ada/packages/com.example.blinky', { is_listed: false })
  await node.registry.indexer.settle(20_000)
  const [entry] = (await readFeed(node)).packages.packages
  expect(entry).toEqual({
    name: 'Blinky',
    description: 'Lets a light blink',
    description_full: 'Lets a light blink at a pace of your choice.',
    identifier: 'com.example.blinky',
    type: 'plugin',
    author: { name: 'Ada Lovelace', contact: { web: 'https://example.com/ada' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    tags: ['led'],
    versions: [],
  })
})
