import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { listenAsSystemd, noSystemdNotify } from '@patchbay/testkit/notify-socket'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'

async function startSmall(behavior: string, environment: Record<string, string> = {}) {
  const script = fileURLToPath(new URL('./small-process.ts', import.meta.url))
  const running = startProcess(process.execPath, [script, behavior], {
    env: { ...process.env, ...environment },
  })
  const exited = running.exited
  await waitUntil('the process started', () => running.output().includes('started'))
  return { running, exited }
}

test.each(['SIGTERM', 'SIGINT'] as const)('[K-702] %s drains, and a clean end is 0', async (signal) => {
  const { running, exited } = await startSmall('stop')
  await using _running = running
  running.child.kill(signal)
  expect(await exited).toEqual([0, null])
  expect(running.output()).toMatch(/draining[\s\S]*"clean":true/)
})

test('[K-704] a part that had to be cut makes the end 1, within the deadline', async () => {
  const { running, exited } = await startSmall('hang')
  await using _running = running
  const begun = performance.now()
  running.child.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  expect(performance.now() - begun).toBeLessThan(atLatest(3_000))
})

test('[K-702] a second signal ends at once', async () => {
  const { running, exited } = await startSmall('hang')
  await using _running = running
  running.child.kill('SIGTERM')
  await waitUntil('draining began', () => running.output().includes('draining'))
  running.child.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  expect(running.output()).toContain('second signal')
})

test('[K-708] a rejection that nobody handles is logged and ends the process', async () => {
  const { running, exited } = await startSmall('reject')
  await using _running = running
  expect(await exited).toEqual([1, null])
  expect(running.output()).toMatch(/"level":"fatal".*nobody waits for me/)
})

deepTest.skipIf(noSystemdNotify)(
  '[K-712] systemd hears that it is ready, and that it is alive until it stands still',
  async () => {
    await using systemd = await listenAsSystemd()
    const { running } = await startSmall('stop', systemd.environment(0.6))
    await using _running = running
    await waitUntil('it is ready', () => systemd.heard('READY=1') === 1)
    await waitUntil('it is alive', () => systemd.heard('WATCHDOG=1') >= 3)
    running.child.kill('SIGSTOP')
    // What was said before that may still be on its way; one that is alive says it three times in this time.
    let before = 0
    const isSilent = async () => {
      before = systemd.heard('WATCHDOG=1')
      await sleep(1_000)
      return systemd.heard('WATCHDOG=1') === before
    }
    await waitUntil('it says nothing anymore', isSilent)
    expect(systemd.heard('WATCHDOG=1')).toBe(before)
    running.child.kill('SIGCONT')
    await waitUntil('it is alive again', () => systemd.heard('WATCHDOG=1') > before)
  },
)

test.skipIf(noSystemdNotify)(
  '[K-712] a process that systemd does not watch says that it is ready, and no more',
  async () => {
    await using systemd = await listenAsSystemd()
    const { running } = await startSmall('stop', { ...systemd.environment(0.3), WATCHDOG_PID: '1' })
    await using _running = running
    await waitUntil('it is ready', () => systemd.heard('READY=1') === 1)
    await sleep(400)
    expect(systemd.heard('WATCHDOG=1')).toBe(0)
  },
)
