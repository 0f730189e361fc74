import { expect, test } from 'vitest'
import { takeTurns } from '../../src/trust/turns.ts'

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test.each([
  ['once the work has taken its time', 5, 1],
  ['not after every step', 60_000, 0],
])('[A-493] others get their turn %s', async (_, longestMs, turns) => {
  let others = 0
  setImmediate(() => {
    others += 1
  })
  const yieldTurn = takeTurns(longestMs)
  work(10)
  await yieldTurn()
  expect(others).toBe(turns)
})
