import { describe, expect, test } from 'vitest'
import { BatchQueue, type BatchQueueOptions, yieldToEventLoop } from '../../src/async/index.ts'

describe('while a batch is under way', () => {
  /** Batches that wait to be let go, one by one. */
  function heldQueue(options: Omit<BatchQueueOptions<number, number>, 'run' | 'collect'>) {
    const batches: { key: string; jobs: readonly number[]; finish(error?: Error): void }[] = []
    const run = (jobs: readonly number[], key: string) =>
      new Promise<readonly number[]>((resolve, reject) => {
        const finish = (error?: Error) =>
          error === undefined ? resolve(jobs.map((job) => job * 10)) : reject(error)
        batches.push({ key, jobs, finish })
      })
    return { batches, queue: new BatchQueue<number, number>({ ...options, run, collect: 'while_busy' }) }
  }

  test('[PR-75] one batch at a time for each key; what waits goes together, and other keys do not wait', async () => {
    const { batches, queue } = heldQueue({ maxBatch: 3 })
    const results = Promise.all([1, 2, 3, 4, 5].map((job) => queue.add(job, 'a')))
    const other = queue.add(6, 'b')
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

  test('[PR-76] one too many is refused', async () => {
    const { batches, queue } = heldQueue({
      maxBatch: 10,
      maxWaiting: 2,
      refuse: () => new RangeError('full'),
    })
    const kept = Promise.all([1, 2, 3].map((job) => queue.add(job)))
    await expect(queue.add(4)).rejects.toEqual(new RangeError('full'))
    batches[0]?.finish()
    await expect.poll(() => batches.length).toBe(2)
    batches[1]?.finish()
    expect(await kept).toEqual([10, 20, 30])
  })

  test('[PR-75][D-70] a failure is that of its batch alone', async () => {
    const { batches, queue } = heldQueue({ maxBatch: 10 })
    const results = Promise.allSettled([1, 2, 3].map((job) => queue.add(job)))
    batches[0]?.finish(new Error('no database'))
    await expect.poll(() => batches.length).toBe(2)
    batches[1]?.finish()
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })

  test('[PR-76] what weighs as much as a batch has one of its own, in its place in the queue', async () => {
    const { batches, queue } = heldQueue({ maxBatch: 10, weigh: (job) => (job > 100 ? 10 : 1) })
    const results = Promise.allSettled([1, 2, 101, 3, 102, 103].map((job) => queue.add(job)))
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
})

describe('within one turn of the event loop', () => {
  function recorded(maxBatch?: number) {
    const asked: (readonly number[])[] = []
    const queue = new BatchQueue<number, number>({
      collect: 'per_turn',
      ...(maxBatch === undefined ? {} : { maxBatch }),
      async run(jobs) {
        asked.push(jobs)
        return jobs.map((job) => job * 2)
      },
    })
    return { asked, double: (job: number) => queue.add(job) }
  }

  const perTurn = (run: (jobs: readonly number[]) => Promise<readonly number[]>) =>
    new BatchQueue<number, number>({ collect: 'per_turn', run })

  test('[K-425] what is added in one turn runs once, and everybody gets their own result', async () => {
    const { asked, double } = recorded()
    expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
    await yieldToEventLoop()
    expect(await double(5)).toBe(10)
    expect(asked).toEqual([[1, 2, 1], [5]])
  })

  test('[K-425] a batch has a size, and what is more goes beside it', async () => {
    const { asked, double } = recorded(2)
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
    expect(asked).toEqual([[1, 2], [3, 4], [5]])
  })

  test('[K-425] a failure is heard by those in the batch, and by nobody after', async () => {
    let isAway = true
    const queue = perTurn(async (jobs) => {
      if (isAway) throw new Error('away')
      return jobs
    })
    const outcomes = await Promise.allSettled([queue.add(1), queue.add(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    expect(await queue.add(3)).toBe(3)
  })

  test('[K-425] results that do not fit the jobs are refused, not mixed up', async () => {
    const queue = perTurn(async () => [1])
    const outcomes = await Promise.allSettled([queue.add(1), queue.add(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
