import { expect, test, vi } from 'vitest'
import { yieldEvery, yieldToEventLoop } from '../../src/async/index.ts'

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test.each([
  ['once the work has taken its time', 5, 1],
  ['not after every step', 60_000, 0],
])('[PR-78][A-493] others get their turn %s', async (_, ms, turns) => {
  let others = 0
  setImmediate(() => {
    others += 1
  })
  const yieldIfDue = yieldEvery(ms)
  work(10)
  await yieldIfDue()
  expect(others).toBe(turns)
})

test('[PR-78] whatever is ready runs first, also where there is no setImmediate', async () => {
  vi.stubGlobal('setImmediate', undefined)
  try {
    let isDone = false
    setTimeout(() => {
      isDone = true
    }, 0)
    await yieldToEventLoop()
    expect(isDone).toBe(true)
  } finally {
    vi.unstubAllGlobals()
  }
})
