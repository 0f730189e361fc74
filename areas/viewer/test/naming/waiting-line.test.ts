import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWaitingLine } from '../../src/naming/waiting-line.ts'

const NEVER = new AbortController().signal

test('[E-95][E-99] work is done in its order, so many at once, and what exceeds the places is turned away', async () => {
  const line = createWaitingLine({ atOnce: 1, waiting: 2 })
  const first = Promise.withResolvers<string>()
  const begun: string[] = []
  const run = (name: string, work: Promise<string>) =>
    line.run(() => {
      begun.push(name)
      return work
    }, NEVER)
  const runs = [run('a', first.promise), run('b', Promise.resolve('b')), run('c', Promise.resolve('c'))]
  expect(await run('d', Promise.resolve('d'))).toBe('full')
  expect(begun).toEqual(['a'])
  first.resolve('a')
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'c'])
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('[E-94] whoever is stopped while waiting leaves, and nobody loses a place', async () => {
  const line = createWaitingLine({ atOnce: 1, waiting: 1 })
  const first = Promise.withResolvers<void>()
  const stop = new AbortController()
  const running = line.run(() => first.promise, NEVER)
  const waiting = line.run(() => Promise.resolve('never'), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  const next = line.run(() => Promise.resolve('next'), NEVER)
  first.resolve()
  await running
  expect(await next).toBe('next')
  expect(await line.run(() => Promise.resolve('later'), NEVER)).toBe('later')
})

test('[E-95] however work ends and is stopped, there are never more at once, and all places come back', async () => {
  const step = fc.record({
    fails: fc.boolean(),
    turns: fc.nat({ max: 5 }),
    stoppedAfter: fc.option(fc.nat({ max: 8 })),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, atOnce) => {
        const line = createWaitingLine({ atOnce, waiting: 4 })
        let running = 0
        let most = 0
        await Promise.allSettled(
          steps.map(async ({ fails, turns, stoppedAfter }) => {
            const stop = new AbortController()
            void turn(stoppedAfter ?? 1_000).then(() => stop.abort())
            return await line.run(async () => {
              running += 1
              most = Math.max(most, running)
              await turn(turns)
              running -= 1
              if (fails) throw new Error('failed')
            }, stop.signal)
          }),
        )
        expect(most).toBeLessThanOrEqual(atOnce)
        const places = Array.from({ length: atOnce + 4 }, (_, index) =>
          line.run(() => Promise.resolve(index), NEVER),
        )
        expect(await Promise.all(places)).not.toContain('full')
      },
    ),
    { numRuns: 300 },
  )
})

async function turn(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve()
}
