import { once } from 'node:events'
import { createServer } from 'node:http'
import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import { isRunning } from '@patchbay/primitives/process'
import { freePort } from '@patchbay/testkit/ports'
import { expect, test } from 'vitest'
import { atAGlance } from '../src/at-a-glance.ts'
import { type Steering, steerWatchdog } from '../src/index.ts'
import { makePlace, recordingSurroundings, startWatchdogProcess } from './start.ts'

const STATUS: WatchdogStatus = {
  state: 'crash-loop',
  detail: 'It went down 6 times in a row; the next start waits.',
  wanted: 'running',
  autoRestart: true,
  restartCount: 7,
  restarts: { exited: 5, unhealthy: 1, commanded: 1 },
  consecutiveFailures: 0,
  failuresBeforeRestart: 3,
  crashLoop: true,
  retryAt: '2026-01-01T12:00:32.000Z',
  gateway: { url: 'http://127.0.0.1:8795', pid: null, instance: null, adopted: false, startedAt: null },
  lastHealthCheck: { at: '2026-01-01T11:55:00.000Z', ok: false, durationMs: 5, reason: 'nobody listens' },
  lastExit: {
    at: '2026-01-01T11:59:58.000Z',
    code: 78,
    signal: null,
    reason: 'It exited with code 78.',
    lastErrors: ['PATCHBAY_GATEWAY_PORT: "x" is not a whole number'],
  },
  orphan: null,
  watchdog: { pid: 42, startedAt: '2025-12-30T12:00:00.000Z' },
}

test('[B-370] everything at a glance', () => {
  expect(atAGlance(STATUS, 'http://127.0.0.1:8796', new Date('2026-01-01T12:00:00.000Z'))).toBe(
    [
      'gateway       CRASH-LOOP at http://127.0.0.1:8795',
      '              It went down 6 times in a row; the next start waits.',
      'wanted        running',
      'process       none',
      'last check    failed 5 min ago: nobody listens',
      'restarts      7 (5 after it went down, 1 after failed checks, 1 on command)',
      'auto-restart  on, after 3 failed checks',
      'next start    in 32 s',
      'crash loop    yes, until it was healthy for 10 minutes',
      'last exit     2 s ago: It exited with code 78.',
      '              | PATCHBAY_GATEWAY_PORT: "x" is not a whole number',
      'watchdog      pid 42 at http://127.0.0.1:8796, started 2 d ago',
    ].join('\n'),
  )
})

test('[B-371] when nothing listens it says so, and how to go on', async () => {
  const port = String(await freePort())
  const surroundings = recordingSurroundings({ PATCHBAY_WATCHDOG_PORT: port })
  for (const steering of ['status', 'start'] as const) await steerWatchdog(surroundings, steering)
  expect(surroundings.exits).toEqual([69, 69])
  expect(surroundings.printed).toEqual([])
  expect(surroundings.errors[0]).toBe(
    `No watchdog answers at http://127.0.0.1:${port} (ECONNREFUSED).\n` +
      'Start one with "patchbay watchdog run", or say where it is with --url.',
  )
})

test('[B-371] something else that listens is not taken for a watchdog', async () => {
  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const surroundings = recordingSurroundings({})
  await steerWatchdog(surroundings, 'status', { url: `http://127.0.0.1:${port}` })
  expect(surroundings.exits).toEqual([69])
  expect(surroundings.errors[0]).toContain('it is no watchdog')
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
})

test('[B-370][B-372] commands act and show the outcome; the exit code says whether it is as wanted', async () => {
  await using place = await makePlace()
  const token = 'long-enough-for-a-test'
  await using dog = await startWatchdogProcess(place, { PATCHBAY_WATCHDOG_TOKEN: token })
  const { gateway } = await dog.until('healthy')
  const steer = async (
    steering: Steering,
    environment: Record<string, string> = { PATCHBAY_WATCHDOG_TOKEN: token },
  ) => {
    const surroundings = recordingSurroundings(environment)
    await steerWatchdog(surroundings, steering, { url: dog.url })
    return surroundings
  }
  const shown = await steer('status')
  expect(shown).toMatchObject({ exits: [], errors: [] })
  expect(shown.printed[0]).toMatch(/^gateway {7}HEALTHY at [\s\S]*process {7}pid \d+, started \d+ s ago/)

  expect((await steer('stop')).printed[0]).toContain('STOPPED')
  expect(isRunning(gateway.pid ?? 0)).toBe(false)
  expect((await steer('status')).exits).toEqual([])
  expect((await steer('start')).printed[0]).toContain('HEALTHY')
  expect((await steer('restart')).printed[0]).toContain('1 on command')
  expect((await steer('auto off')).printed[0]).toMatch(/auto-restart {2}off/)
  process.kill((await dog.status()).gateway.pid ?? 0, 'SIGKILL')
  await dog.until('stopped')
  const down = await steer('status')
  expect(down.exits).toEqual([1])
  expect(down.printed[0]).toContain('It went down, and auto-restart is off.')
  expect((await steer('auto on')).printed[0]).toMatch(/auto-restart {2}on/)
  await dog.until('healthy')

  const refused = await steer('stop', {})
  expect(refused.exits).toEqual([1])
  expect(refused.errors[0]).toContain('Set PATCHBAY_WATCHDOG_TOKEN')
})

test('[B-371] a fault in the settings is named', async () => {
  const surroundings = recordingSurroundings({ PATCHBAY_WATCHDOG_PORT: 'x', PATCHBAY_PORT: 'not ours' })
  await steerWatchdog(surroundings, 'status')
  expect(surroundings.exits).toEqual([78])
  expect(surroundings.errors[0]).toContain('PATCHBAY_WATCHDOG_PORT')
})
