import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const TICKING = fileURLToPath(new URL('./ticking.ts', import.meta.url))

/** Nanoseconds of a tick, in a process of its own: what was forgotten stays forgotten. */
async function tick(...words: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', TICKING, ...words])
  return Number(stdout)
}

test('[K-234] a tick after a collection takes as long as one before', {
  timeout: 60_000,
  retry: 2,
}, async () => {
  const young = await tick('steady')
  const collected = await tick('steady', 'collect')
  expect(young).toBeGreaterThan(0)
  // Without the one that is kept it is four times as long.
  expect(collected / young).toBeLessThan(2.5)
})
