import { expect, test } from 'vitest'
import { forEachConcurrent, yieldToEventLoop } from '../../src/async/index.ts'
import { heldWork } from './held-work.ts'

test('[PR-74] every item is worked on, so many at a time', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await forEachConcurrent([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve()
    running -= 1
    done.push(item)
  })
  expect(most).toBe(3)
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('[PR-74] the first failure is the result, and what has not begun does not begin', async () => {
  const { begun, work, finish } = heldWork()
  const all = forEachConcurrent([1, 2, 3, 4], 2, async (item) => void (await work(item)()))
  finish(2, new Error('second'))
  await expect(all).rejects.toThrow('second')
  finish(1)
  await yieldToEventLoop()
  expect(begun).toEqual([1, 2])
})
