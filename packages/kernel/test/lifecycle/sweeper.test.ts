import { expect, test } from 'vitest'
import { createSweeper } from '../../src/lifecycle/index.ts'
import { createLog } from '../../src/log/index.ts'

test('[K-714] one sweep at a time, again after one that failed, and the end waits for it', async () => {
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    process: 'test',
    destination: { write: (line) => lines.push(line) },
  })
  const ends: PromiseWithResolvers<void>[] = []
  const sweeper = createSweeper({ intervalMs: 2, log, failure: 'failed to sweep' }, async () => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    await end.promise
  })
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 2)
  const laterTicks = async () => {
    const before = ticks
    await expect.poll(() => ticks).toBeGreaterThan(before + 5)
  }
  sweeper.start()
  await expect.poll(() => ends.length).toBe(1)
  await laterTicks()
  expect(ends).toHaveLength(1)
  ends[0]?.reject(new Error('away'))
  await expect.poll(() => ends.length).toBe(2)
  expect(lines.join('')).toContain('failed to sweep')
  let isStopped = false
  const stopping = sweeper.stop().then(() => (isStopped = true))
  expect(sweeper.stopping.aborted).toBe(true)
  await laterTicks()
  expect(isStopped).toBe(false)
  ends[1]?.resolve()
  await stopping
  await laterTicks()
  expect(ends).toHaveLength(2)
  clearInterval(ticking)
})
