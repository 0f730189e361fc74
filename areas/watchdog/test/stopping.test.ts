import { isRunning } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startTestWatchdog, type TestWatchdog, untilGone } from './start.ts'

async function family(dog: TestWatchdog): Promise<{ pid: number; childPid: number }> {
  await dog.until('healthy')
  return (await (await fetch(`${dog.gatewayUrl}/health`)).json()) as { pid: number; childPid: number }
}

test.concurrent('[B-306] one that obeys SIGTERM is not killed', async () => {
  await using dog = await startTestWatchdog()
  await dog.until('healthy')
  const { body } = await dog.post('/stop')
  expect(body).toMatchObject({ state: 'stopped', wanted: 'stopped', lastExit: { code: 0, signal: null } })
  expect(body.lastExit?.lastErrors).toEqual(['draining'])
})

deepTest.concurrent(
  '[B-306] one that ignores SIGTERM is killed with its whole group when the drain is over',
  async () => {
    await using dog = await startTestWatchdog({ script: 'stubborn-gateway', timings: { drainMs: 700 } })
    const { pid, childPid } = await family(dog)
    const begun = performance.now()
    const { body } = await dog.post('/stop')
    expect(performance.now() - begun).toBeGreaterThanOrEqual(700)
    expect(body).toMatchObject({ state: 'stopped', lastExit: { code: null, signal: 'SIGKILL' } })
    await untilGone(pid)
    await untilGone(childPid)
  },
)

test.concurrent('[B-308] a child that the gateway left behind goes with it', async () => {
  await using dog = await startTestWatchdog({ script: 'negligent-gateway' })
  const { childPid } = await family(dog)
  expect(isRunning(childPid)).toBe(true)
  expect((await dog.post('/stop')).body.lastExit).toMatchObject({ code: 0 })
  await untilGone(childPid)
})

deepTest.concurrent('[B-308] also when the gateway crashes', async () => {
  await using dog = await startTestWatchdog({ script: 'negligent-gateway' })
  const { pid, childPid } = await family(dog)
  process.kill(pid, 'SIGKILL')
  await untilGone(childPid)
  expect((await dog.until('healthy')).restarts.exited).toBeGreaterThanOrEqual(1)
})
