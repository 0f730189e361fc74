import { expect, test } from 'vitest'
import { type OpenSession, unique } from './rig.ts'

export function wakeupsContract(open: OpenSession): void {
  test('[K-521] a notification wakes every waiter of the key on every node, and no other', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const key = unique('key')
    await using first = await a.wakeups.listen(key)
    await using second = await a.wakeups.listen(key)
    await using third = await b.wakeups.listen(key)
    await using other = await a.wakeups.listen(unique('key'))
    const waiting = [first, second, third].map((waiter) => waiter.next(2_000))
    await b.wakeups.notify(key)
    expect(await Promise.all(waiting)).toEqual([true, true, true])
    expect(await other.next(50)).toBe(false)
  })

  test('[K-521] what is notified after listen resolves is not missed', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const missed = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const key = unique('key')
        await using waiter = await a.wakeups.listen(key)
        await b.wakeups.notify(key)
        return !(await waiter.next(2_000))
      }),
    )
    expect(missed.filter(Boolean)).toHaveLength(0)
  })

  test('[K-526] a watch is called back on every notification of its key until it is disposed', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const key = unique('key')
    const calls = { watched: 0, other: 0 }
    const watch = await a.wakeups.watch(key, () => void (calls.watched += 1))
    await using _other = await a.wakeups.watch(unique('key'), () => void (calls.other += 1))
    await using waiter = await a.wakeups.listen(key)
    for (let count = 0; count < 3; count += 1) {
      await b.wakeups.notify(key)
      expect(await waiter.next(2_000)).toBe(true)
    }
    expect(calls).toEqual({ watched: 3, other: 0 })
    await watch[Symbol.asyncDispose]()
    await b.wakeups.notify(key)
    expect(await waiter.next(2_000)).toBe(true)
    expect(calls.watched).toBe(3)
  })

  test('[K-526] a bus that closes calls nobody back anymore', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const key = unique('key')
    let calls = 0
    await a.wakeups.watch(key, () => void (calls += 1))
    await using witness = await b.wakeups.listen(key)
    await a.close()
    await b.wakeups.notify(key)
    expect(await witness.next(2_000)).toBe(true)
    expect(calls).toBe(0)
    await expect(a.wakeups.watch(key, () => undefined)).rejects.toMatchObject({ code: 'bus_unavailable' })
  })

  test('[K-522] wake-ups between two calls are remembered as one', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const key = unique('key')
    await using waiter = await a.wakeups.listen(key)
    await using witness = await a.wakeups.listen(key)
    for (let count = 0; count < 3; count += 1) {
      await b.wakeups.notify(key)
      expect(await witness.next(2_000)).toBe(true)
    }
    expect(await waiter.next(1_000)).toBe(true)
    expect(await waiter.next(50)).toBe(false)
  })

  test('[K-523] waiting ends without a wake-up at the deadline, on abort, and when the waiter or its bus goes', async () => {
    await using session = await open()
    const bus = await session.connect()
    const waiter = await bus.wakeups.listen(unique('key'))
    const start = performance.now()
    expect(await waiter.next(50)).toBe(false)
    expect(performance.now() - start).toBeGreaterThan(45)
    const controller = new AbortController()
    const aborted = waiter.next(10_000, controller.signal)
    controller.abort()
    expect(await aborted).toBe(false)
    expect(await waiter.next(10_000, controller.signal)).toBe(false)
    const disposed = waiter.next(10_000)
    await waiter[Symbol.asyncDispose]()
    expect(await disposed).toBe(false)
    expect(await waiter.next(10_000)).toBe(false)
    const orphan = (await bus.wakeups.listen(unique('key'))).next(10_000)
    await bus.close()
    expect(await orphan).toBe(false)
  })

  test('[K-524] a waiter hears on after another one of its key has gone', async () => {
    await using session = await open()
    const bus = await session.connect()
    const key = unique('key')
    const first = await bus.wakeups.listen(key)
    await using second = await bus.wakeups.listen(key)
    await first[Symbol.asyncDispose]()
    await bus.wakeups.notify(key)
    expect(await second.next(2_000)).toBe(true)
    await second[Symbol.asyncDispose]()
    await using third = await bus.wakeups.listen(key)
    await bus.wakeups.notify(key)
    expect(await third.next(2_000)).toBe(true)
  })
}
