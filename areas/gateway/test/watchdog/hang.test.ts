import { expect, test } from 'vitest'
import { TIMINGS, type Timings } from '../../src/watchdog/index.ts'
import { startTestWatchdog } from './start.ts'

const isFull = process.env['PATCHBAY_FULL'] === '1'
/**
 * With `PATCHBAY_FULL=1` the numbers of the contract, which take as long as they do. In CI it asks five times as often:
 * the same steps in the same order, and the 40 s are shown by the sum of the contract's waits.
 */
const timings: Timings = isFull
  ? TIMINGS
  : { ...TIMINGS, pollIntervalMs: TIMINGS.pollIntervalMs / 5, healthTimeoutMs: 3_000 }

test('[B-302] the waits of the contract leave time to start within 40 s', () => {
  const { pollIntervalMs, failuresBeforeRestart, healthTimeoutMs, unresponsiveGraceMs } = TIMINGS
  const longest = pollIntervalMs * failuresBeforeRestart + healthTimeoutMs + unresponsiveGraceMs
  expect(longest).toBeLessThan(38_000)
})

test('[B-302] a gateway that is SIGSTOPped is replaced by a healthy one within 40 s', {
  timeout: 90_000,
}, async () => {
  await using dog = await startTestWatchdog({ timings })
  const { gateway } = await dog.until('healthy')
  const begun = performance.now()
  process.kill(gateway.pid ?? 0, 'SIGSTOP')
  await dog.until('unhealthy', 20_000)
  await dog.until('stopping', 40_000)
  const after = await dog.until('healthy', 40_000)
  expect((performance.now() - begun) / 1000).toBeLessThan(40)
  expect(after.gateway.pid).not.toBe(gateway.pid)
  expect(after).toMatchObject({ restarts: { unhealthy: 1 }, lastExit: { signal: 'SIGKILL' } })
})
