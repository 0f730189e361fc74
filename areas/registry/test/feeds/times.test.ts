import { formatUpdateTime } from '@patchbay/package-format'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { archiveOf } from '../archive.ts'
import { startRegistry } from '../start.ts'
import { insertPackages, touch } from './many-packages.ts'
import { readFeed } from './reading.ts'

test('[A-406] times grow with the content, also when the clock stands still or goes back', async () => {
  const clock = new SettableClock('2026-03-01T12:00:00Z')
  await using node = await startRegistry({ clock })
  await insertPackages(node.db, { owners: 1, perOwner: 1, prefix: 'o' })
  const first = Date.parse('2026-03-01T12:00:00Z') / 1000
  const seen: number[] = []
  for (const step of [0, 0, -3_600_000, 7_200_000]) {
    clock.advance(step)
    await touch(node.db, 'o1', 'com.o1.p1', clock.now())
    await node.registry.indexer.settle(20_000)
    const { repository } = await readFeed(node)
    seen.push(repository.packages.update_timestamp)
    expect(repository.packages.update_time_utc).toBe(formatUpdateTime(repository.packages.update_timestamp))
  }
  expect(seen).toEqual([first, first + 1, first + 2, first + 3_600])
})

deepTest('[A-406] what did not change keeps its address and its time', async () => {
  const clock = new SettableClock()
  await using node = await startRegistry({ clock })
  const ada = node.as('ada')
  await ada.publish(archiveOf({ version: '1.0' }))
  await node.registry.indexer.settle(20_000)
  const before = (await readFeed(node)).repository
  clock.advance(60_000)
  await ada.publish(archiveOf({ version: '1.1' }))
  await node.registry.indexer.settle(20_000)
  const after = (await readFeed(node)).repository
  expect(after.resources).toEqual(before.resources)
  expect(after.packages.update_timestamp).toBeGreaterThan(before.packages.update_timestamp)
  expect(after.packages.url).toContain(String(after.packages.sha256))
})
