import { expect, test } from 'vitest'
import { createTurns } from '../../src/workspaces/turns.ts'

/** Work that waits to be let go, batch by batch. */
function heldWork() {
  const batches: { key: string; jobs: readonly number[]; finish(error?: Error): void }[] = []
  const work = (key: string, jobs: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      const finish = (error?: Error) =>
        error === undefined ? resolve(jobs.map((job) => job * 10)) : reject(error)
      batches.push({ key, jobs, finish })
    })
  return { batches, work }
}

test('[D-69] one go at a time for each key; what waits goes together, and other keys do not wait', async () => {
  const { batches, work } = heldWork()
  const take = createTurns(work, { most: 3, waiting: 100 })
  const results = Promise.all([1, 2, 3, 4, 5].map((job) => take('a', job)))
  const other = take('b', 6)
  expect(batches.map(({ key, jobs }) => [key, jobs])).toEqual([
    ['a', [1]],
    ['b', [6]],
  ])
  batches[1]?.finish()
  expect(await other).toBe(60)
  batches[0]?.finish()
  await expect.poll(() => batches.length).toBe(3)
  expect(batches[2]?.jobs).toEqual([2, 3, 4])
  batches[2]?.finish()
  await expect.poll(() => batches.length).toBe(4)
  batches[3]?.finish()
  expect(await results).toEqual([10, 20, 30, 40, 50])
})

test('[D-69] the line has an end', async () => {
  const { batches, work } = heldWork()
  const take = createTurns(work, { most: 10, waiting: 2 })
  const kept = Promise.all([take('a', 1), take('a', 2), take('a', 3)])
  await expect(take('a', 4)).rejects.toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } })
  batches[0]?.finish()
  await expect.poll(() => batches.length).toBe(2)
  batches[1]?.finish()
  expect(await kept).toEqual([10, 20, 30])
})

test('[D-70] a failure is that of its batch alone', async () => {
  const { batches, work } = heldWork()
  const take = createTurns(work, { most: 10, waiting: 10 })
  const results = Promise.allSettled([1, 2, 3].map((job) => take('a', job)))
  batches[0]?.finish(new Error('no database'))
  await expect.poll(() => batches.length).toBe(2)
  batches[1]?.finish()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})

test('[D-69] what may fail has a go of its own, in its place in the line', async () => {
  const { batches, work } = heldWork()
  const take = createTurns(work, { most: 10, waiting: 10, isAlone: (job: number) => job > 100 })
  const results = Promise.allSettled([1, 2, 101, 3, 102, 103].map((job) => take('a', job)))
  for (const [at, jobs] of [[1], [2], [101], [3], [102], [103]].entries()) {
    await expect.poll(() => batches.length).toBe(at + 1)
    expect(batches[at]?.jobs).toEqual(jobs)
    batches[at]?.finish(jobs[0] === 101 ? new Error('no room') : undefined)
  }
  expect((await results).map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
  ])
})
