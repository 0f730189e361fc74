import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { roomOf } from '../../src/access/workspace.ts'
import { Throttle } from '../../src/rooms/throttle.ts'
import { noteActionAlone } from '../../src/workspaces/panel-state.store.ts'
import { uuidOf } from '../access.ts'
import { BOARD, startControl } from './start-control.ts'

test('[D-283] the first is done at once, all that follow in a pause together after it, and none is forgotten', async () => {
  const done: string[] = []
  const work = new Throttle<string>(100, (item) => void done.push(item))
  for (let time = 0; time < 50; time += 1) work.run('a')
  work.run('b')
  expect(done).toEqual(['a', 'b'])
  await waitUntil('the pauses are over', async () => work.size === 0)
  expect(done).toEqual(['a', 'b', 'a'])
  work.run('b')
  expect(done).toEqual(['a', 'b', 'a', 'b'])
})

test('[D-283] what waits for the end of a pause is done when the node stops', () => {
  const done: string[] = []
  const work = new Throttle<string>(60_000, (item) => void done.push(item))
  work.run('a')
  work.run('a')
  work.run('b')
  work.flush()
  expect(done).toEqual(['a', 'b', 'a'])
  expect(work.size).toBe(0)
})

test('[D-283] of a hundred changes in a row every page has the last, and far fewer wake-ups were sent', async () => {
  await using node = await startControl()
  await using page = await node.open()
  let woken = 0
  await using _watch = await node.bus.wakeups.watch(roomOf(BOARD), () => void (woken += 1))
  const credential = { kind: 'api_key', id: uuidOf('key'), label: 'robot' } as const
  const caller = { personId: uuidOf('ada'), handle: 'ada', credential }
  const begunAt = performance.now()
  for (let number = 1; number <= 100; number += 1) {
    await noteActionAlone(node.db, BOARD, { caller, tabId: null, action: `act ${number}` }, new Date())
    node.control.notify(BOARD)
  }
  const elapsedMs = performance.now() - begunAt
  await page.heard('acted', ({ actions }) => actions.at(-1)?.action === 'act 100')
  expect(woken).toBeGreaterThan(0)
  expect(woken).toBeLessThanOrEqual(elapsedMs / 40 + 2)
})
