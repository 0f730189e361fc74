import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'

const TICKING = fileURLToPath(new URL('./ticking.ts', import.meta.url))

/** Nanoseconds of a tick, in a process of its own: what was forgotten stays forgotten. */
async function tick(...words: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', TICKING, ...words])
  return Number(stdout)
}

test('[K-234] a tick after a collection takes as long as one before', { timeout: 60_000 }, async () => {
  const young: number[] = []
  const collected: number[] = []
  // By turns, and the least of each: whatever else the machine does only makes a process slower.
  for (let round = 0; round < depth({ common: 2, deep: 5 }); round += 1) {
    young.push(await tick('steady'))
    collected.push(await tick('steady', 'collect'))
  }
  expect(Math.min(...young)).toBeGreaterThan(0)
  // Without the one that is kept it is four times as long.
  expect(Math.min(...collected) / Math.min(...young)).toBeLessThan(2.5)
})
