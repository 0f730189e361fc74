import { expect, test } from 'vitest'
import { TIMINGS } from '../src/index.ts'
import { startTestWatchdog } from './start.ts'

/** With the numbers of the contract, which is why it takes as long as it does; their sum is proven beside `step`. */
test('[B-302] a gateway that is SIGSTOPped is replaced by a healthy one within 40 s', {
  timeout: 90_000,
}, async () => {
  await using dog = await startTestWatchdog({ timings: TIMINGS })
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
