import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Semaphore } from '../../src/async/index.ts'
import { heldWork } from './held-work.ts'

const refusedWith = (reason: string) => expect.objectContaining({ name: 'SemaphoreRefused', reason })

describe('who waits', () => {
  test('[PR-71][E-99] so many run at once, some wait in order, one more is refused', async () => {
    const semaphore = new Semaphore({ total: 2, maxWaiting: 2 })
    const { begun, work, finish } = heldWork()
    const runs = [1, 2, 3, 4].map((id) => semaphore.run(work(id)))
    // Without a turn of the event loop in between: a permit that is free is not waited for.
    expect(begun).toEqual([1, 2])
    await expect(semaphore.run(work(5))).rejects.toEqual(refusedWith('full'))
    finish(2)
    await expect.poll(() => begun).toEqual([1, 2, 3])
    finish(1)
    await expect.poll(() => begun).toEqual([1, 2, 3, 4])
    finish(3)
    finish(4)
    expect(await Promise.all(runs)).toEqual([1, 2, 3, 4])
    expect(await semaphore.run(async () => 'free')).toBe('free')
  })

  test('[PR-71] work that fails gives its permit back', async () => {
    const semaphore = new Semaphore({ total: 1, maxWaiting: 0 })
    for (const round of [1, 2, 3])
      await expect(semaphore.run(() => Promise.reject(new Error(`round ${round}`)))).rejects.toThrow('round')
    expect(await semaphore.run(async () => 'free')).toBe('free')
  })

  test('[PR-71] whoever waits for a key that is full does not hold up others', async () => {
    const semaphore = new Semaphore({ total: 2, perKey: 1 })
    const { begun, work, finish } = heldWork()
    const runs = [
      semaphore.run(work(1), { key: 'a' }),
      semaphore.run(work(2), { key: 'a' }),
      semaphore.run(work(3), { key: 'b' }),
      semaphore.run(work(4), { key: 'c' }),
    ]
    expect(begun).toEqual([1, 3])
    finish(3)
    await expect.poll(() => begun).toEqual([1, 3, 4])
    finish(1)
    await expect.poll(() => begun).toEqual([1, 3, 4, 2])
    finish(2)
    finish(4)
    await Promise.all(runs)
    expect(['a', 'b', 'c'].map((key) => semaphore.isHeldBy(key))).toEqual([false, false, false])
  })

  test('[PR-72] who has waited too long is refused, and does not run later', async () => {
    const semaphore = new Semaphore({ total: 1, maxWaiting: 1, timeoutMs: 20 })
    const { begun, work, finish } = heldWork()
    const first = semaphore.run(work(1))
    await expect(semaphore.run(work(2))).rejects.toEqual(refusedWith('timeout'))
    finish(1)
    await first
    expect(await semaphore.run(async () => 'next')).toBe('next')
    expect(begun).toEqual([1])
  })

  test('[PR-72] once closed, what has begun goes on and nothing else begins', async () => {
    const semaphore = new Semaphore({ total: 1, refuse: (reason) => new RangeError(reason) })
    const { begun, work, finish } = heldWork()
    const running = semaphore.run(work(1))
    const waiting = semaphore.run(work(2))
    semaphore.close()
    await expect(waiting).rejects.toEqual(new RangeError('closed'))
    await expect(semaphore.run(work(3))).rejects.toEqual(new RangeError('closed'))
    finish(1)
    expect(await running).toBe(1)
    expect(begun).toEqual([1])
  })

  test('[PR-72] whoever is aborted while waiting leaves, and no permit is lost', async () => {
    const semaphore = new Semaphore({ total: 1, maxWaiting: 1 })
    const { begun, work, finish } = heldWork()
    const stop = new AbortController()
    const running = semaphore.run(work(1))
    const waiting = semaphore.run(work(2), { signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    const next = semaphore.run(async () => 'next')
    finish(1)
    await running
    expect(await next).toBe('next')
    await expect(semaphore.run(work(3), { signal: stop.signal })).rejects.toThrow('stopped')
    expect(begun).toEqual([1])
  })

  test('[PR-72] however work ends and is stopped, limits hold and all permits come back', async () => {
    const step = fc.record({
      fails: fc.boolean(),
      key: fc.constantFrom('a', 'b', 'c'),
      turns: fc.nat({ max: 5 }),
      abortedAfter: fc.option(fc.nat({ max: 8 })),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, total) => {
          const semaphore = new Semaphore({ total, perKey: 2, maxWaiting: 4 })
          const running: string[] = []
          let isWithinLimits = true
          await Promise.allSettled(
            steps.map(async ({ fails, key, turns, abortedAfter }) => {
              const stop = new AbortController()
              void microtasks(abortedAfter ?? 1_000).then(() => stop.abort())
              const work = async () => {
                running.push(key)
                isWithinLimits &&= running.length <= total
                isWithinLimits &&= running.filter((each) => each === key).length <= 2
                await microtasks(turns)
                running.splice(running.indexOf(key), 1)
                if (fails) throw new Error('failed')
              }
              await semaphore.run(work, { key, signal: stop.signal })
            }),
          )
          expect(isWithinLimits).toBe(true)
          await Promise.all(Array.from({ length: total + 4 }, () => semaphore.run(() => microtasks(1))))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('who does not wait', () => {
  test('[PR-73] a permit is had at once or not at all, and the reason is told', () => {
    const semaphore = new Semaphore({ total: 3, perKey: 2 })
    for (const key of ['a', 'a', 'b']) semaphore.acquireNow({ key })
    expect(() => semaphore.acquireNow({ key: 'a' })).toThrow(refusedWith('key_full'))
    expect(() => semaphore.acquireNow({ key: 'c' })).toThrow(refusedWith('full'))
    semaphore.close()
    expect(() => semaphore.acquireNow()).toThrow(refusedWith('closed'))
  })

  test('[PR-73] several permits are had together, and given back once', () => {
    const semaphore = new Semaphore({ total: 3 })
    expect(() => semaphore.acquireNow({ count: 4 })).toThrow(refusedWith('full'))
    const permits = semaphore.acquireNow({ count: 3 })
    expect(() => semaphore.acquireNow()).toThrow(refusedWith('full'))
    permits[Symbol.dispose]()
    permits[Symbol.dispose]()
    semaphore.acquireNow({ count: 2 })
    expect(() => semaphore.acquireNow({ count: 2 })).toThrow(refusedWith('full'))
  })

  test('[PR-73] a permit that is given back goes to whoever waits', async () => {
    const semaphore = new Semaphore({ total: 1 })
    const permit = semaphore.acquireNow()
    const waiting = semaphore.run(async () => 'ran')
    permit[Symbol.dispose]()
    expect(() => semaphore.acquireNow()).toThrow(refusedWith('full'))
    expect(await waiting).toBe('ran')
  })
})

async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve()
}
