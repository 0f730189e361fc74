import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { waitUntil } from '@patchbay/testkit/processes'
import { startTestWatchdog } from './start.ts'

test('[B-310][B-311] a boot crasher backs off, is called a crash loop, and is tried again', async () => {
  await using dog = await startTestWatchdog({
    script: 'boot-crasher',
    timings: { backoffFirstMs: 100, backoffMostMs: 3_000 },
  })
  const first = await dog.until('backing-off')
  expect(first).toMatchObject({ crashLoop: false, detail: 'It went down once; the next start waits.' })
  expect(Date.parse(first.retryAt ?? '')).toBeLessThanOrEqual(Date.now() + 100)
  const looping = await dog.until('crash-loop')
  expect(looping).toMatchObject({ crashLoop: true, wanted: 'running', autoRestart: true })
  expect(looping.restarts.exited).toBe(4)
  expect(Date.parse(looping.retryAt ?? '') - Date.now()).toBeGreaterThan(100)
  await waitUntil('it is tried again', () => dog.status().restarts.exited > 4)
  expect((await dog.ask('/health')).status).toBe(200)
})

test('[B-311] a crash loop ends when the cause is mended', async () => {
  await using dog = await startTestWatchdog({ timings: { backoffMostMs: 100 } })
  const { gateway } = await dog.until('healthy')
  // Six crashes in a row, each from outside, then none.
  let pid = gateway.pid ?? 0
  for (let count = 0; count < 6; count += 1) {
    process.kill(pid, 'SIGKILL')
    await waitUntil('the next one runs', () => {
      const next = dog.status().gateway.pid
      return next !== null && next !== pid
    })
    pid = dog.status().gateway.pid ?? 0
  }
  expect(await dog.until('healthy')).toMatchObject({ crashLoop: true, restartCount: 6 })
})

test('[B-313] the last exit says code, reason and the end of standard error', async () => {
  await using dog = await startTestWatchdog({ script: 'boot-crasher', args: ['78'] })
  const { lastExit } = await dog.until('backing-off')
  expect(lastExit).toMatchObject({ code: 78, signal: null })
  expect(lastExit?.reason).toContain('configuration is at fault')
  expect(lastExit?.lastErrors).toHaveLength(20)
  expect(lastExit?.lastErrors.at(-1)).toBe('cannot start: the configuration is wrong')
  expect(dog.lines.join('')).toContain('cannot start: the configuration is wrong')
})

test('[B-314] a command that does not exist is reported and backed off', async () => {
  await using dog = await startTestWatchdog({ command: '/nonexistent/gateway' })
  const { lastExit } = await dog.until('backing-off')
  expect(lastExit?.reason).toMatch(/could not be started: .*ENOENT/)
  await dog.until('crash-loop')
  expect((await dog.ask('/health')).status).toBe(200)
})

test('[B-314] a crasher whose port is taken meanwhile becomes foreign, and the watchdog lives', async () => {
  await using dog = await startTestWatchdog({
    script: 'boot-crasher',
    timings: { pollIntervalMs: 200, failuresBeforeRestart: 100 },
  })
  await dog.until('crash-loop')
  const stranger = createServer((_request, response) => response.end('hello')).listen(dog.port, '127.0.0.1')
  await once(stranger, 'listening')
  const { detail } = await dog.until('foreign')
  expect(detail).toContain('answers /health with 200')
  stranger.closeAllConnections()
  await new Promise((resolve) => stranger.close(resolve))
  expect((await dog.until('crash-loop')).wanted).toBe('running')
})
