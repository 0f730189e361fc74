import { expect, test } from 'vitest'
import { Announcements } from '../../src/feeds/announcements.ts'

const LONG_MS = 60_000

test('[A-408] whoever waits for a build is woken by the next one, and again by the one after it', async () => {
  const announcements = new Announcements()
  const woken: string[] = []
  const wait = async (name: string) => {
    await announcements.next(LONG_MS)
    woken.push(name)
  }
  const first = [wait('a'), wait('b')]
  announcements.announce()
  const second = wait('c')
  await Promise.all(first)
  expect(woken).toEqual(['a', 'b'])
  announcements.announce()
  await second
  expect(woken).toEqual(['a', 'b', 'c'])
})

test('[A-408] nobody waits longer than they asked for', async () => {
  await expect(new Announcements().next(1)).resolves.toBeUndefined()
})
