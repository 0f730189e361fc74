import { once } from 'node:events'
import { createServer } from 'node:http'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { startTestWatchdog } from './start.ts'

test.concurrent('[B-310] a boot crasher waits for its next start', async () => {
  // So long that the first wait is still on when it is looked at.
  await using dog = await startTestWatchdog({
    script: 'boot-crasher',
    timings: { backoffFirstMs: 60_000, backoffMostMs: 60_000 },
  })
  const { crashLoop, restarts, retryAt } = await dog.until('backing-off')
  expect({ crashLoop, restarts: restarts.exited }).toEqual({ crashLoop: false, restarts: 0 })
  const waitMs = Date.parse(retryAt ?? '') - Date.now()
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(60_000)
})

deepTest.concurrent(
  '[B-310][B-311] a boot crasher waits longer each time, is called a crash loop, and is tried again',
  async () => {
    await using dog = await startTestWatchdog({
      script: 'boot-crasher',
      timings: { backoffFirstMs: 50, backoffMostMs: 3_000 },
    })
    const looping = await dog.until('crash-loop')
    expect(looping).toMatchObject({ crashLoop: true, wanted: 'running', autoRestart: true })
    expect(looping.restarts.exited).toBe(4)
    expect(Date.parse(looping.retryAt ?? '') - Date.now()).toBeGreaterThan(100)
    await waitUntil('it is tried again', () => dog.status().restarts.exited > 4)
    expect((await dog.ask('/health')).status).toBe(200)
  },
)

deepTest.concurrent(
  '[B-312] C2: a gateway that was healthy each time is no crash loop, however often it is killed',
  async () => {
    await using dog = await startTestWatchdog({ timings: { backoffFirstMs: 50 } })
    for (let count = 0; count < 7; count += 1) {
      const { gateway } = await dog.until('healthy')
      const pid = gateway.pid ?? 0
      process.kill(pid, 'SIGKILL')
      await waitUntil('the next one runs', () => {
        const next = dog.status().gateway.pid
        return next !== null && next !== pid
      })
    }
    expect(await dog.until('healthy')).toMatchObject({ crashLoop: false, restartCount: 7 })
  },
)

test.concurrent('[B-313] the last exit says code, reason and the end of standard error', async () => {
  await using dog = await startTestWatchdog({ script: 'boot-crasher', args: ['78'] })
  const { lastExit } = await dog.until('backing-off')
  expect(lastExit).toMatchObject({ code: 78, signal: null })
  expect(lastExit?.reason).toContain('configuration is at fault')
  expect(lastExit?.lastErrors).toHaveLength(20)
  expect(lastExit?.lastErrors.at(-1)).toBe('cannot start: the configuration is wrong')
  expect(dog.lines.join('')).toContain('cannot start: the configuration is wrong')
})

deepTest.concurrent('[B-314] a command that does not exist is reported and backed off', async () => {
  await using dog = await startTestWatchdog({ command: '/nonexistent/gateway' })
  const { lastExit } = await dog.until('backing-off')
  expect(lastExit?.reason).toMatch(/ENOENT/)
  await dog.until('crash-loop')
  expect((await dog.ask('/health')).status).toBe(200)
})

deepTest.concurrent(
  '[B-314] a crasher whose port is taken meanwhile becomes foreign, and the watchdog lives',
  async () => {
    await using dog = await startTestWatchdog({
      script: 'boot-crasher',
      timings: { pollIntervalMs: 200, failuresBeforeRestart: 100 },
    })
    await dog.until('crash-loop')
    const stranger = createServer((_request, response) => response.end('hello')).listen(dog.port, '127.0.0.1')
    await once(stranger, 'listening')
    await dog.until('foreign')
    stranger.closeAllConnections()
    await new Promise((resolve) => stranger.close(resolve))
    expect((await dog.until('crash-loop')).wanted).toBe('running')
  },
)
