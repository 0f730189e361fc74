import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import { keepHouse } from '../../src/feeds/housekeeping.store.ts'
import { archiveOf, ICON } from '../archive.ts'
import { pathOf, readFeed, sha256Of } from '../feeds/reading.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

test('[A-433] an error has no header of the file', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const archive = archiveOf()
  await node.as('ada').publish(archive)
  const objects = join(node.folder, 'objects')
  await rename(objects, join(node.folder, 'away'))
  const answer = await node.ask(`/registry/archives/${sha256Of(archive)}/com.example.blinky-1.0.0.zip`)
  await rename(join(node.folder, 'away'), objects)
  expect(answer.status).toBe(503)
  const names = ['etag', 'content-disposition', 'accept-ranges']
  expect(names.map((name) => answer.headers.get(name))).toEqual([null, null, null])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('[A-434] a file that housekeeping removed is 404, also where it was known', async () => {
  const clock = new SettableClock()
  await using node = await startRegistry({ clock })
  const ada = node.as('ada')
  await ada.publish(archiveOf({ version: '1.0' }))
  await node.registry.indexer.settle(20_000)
  const list = pathOf((await readFeed(node)).repository.packages.url)
  await ada.publish(archiveOf({ version: '1.1' }))
  await node.registry.indexer.settle(20_000)
  // Known in one coding, and asked for in another: the bytes of that are not in memory.
  expect((await node.ask(list, { headers: { 'accept-encoding': 'identity' } })).status).toBe(200)
  clock.advance(86_400_000)
  expect(await keepHouse(node.deps)).toBe(true)
  expect((await node.ask(list, { headers: { 'accept-encoding': 'zstd' } })).status).toBe(404)
})

test('[A-426] the icon of a private package is for those who may read it, until a public one has it', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const path = `/registry/icons/${sha256Of(ICON)}.png`
  const statuses = async () =>
    Promise.all([node, node.as('eve'), ada].map(async (at) => (await at.ask(path)).status))
  await ada.publish(archiveOf({ identifier: 'com.example.secret' }), { visibility: 'private' })
  expect(await statuses()).toEqual([404, 404, 200])
  expect((await ada.ask(path)).headers.get('cache-control')).toBe('private, no-cache')
  await node.as('bob').publish(archiveOf({ identifier: 'com.example.open' }))
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await node.ask(path)).headers.get('cache-control')).toContain('s-maxage=3')
})
