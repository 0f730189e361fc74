import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isRunning } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { adoptGateway } from '../src/gateway-process.io.ts'
import { look } from '../src/proc.io.ts'
import { scriptPath, startTestWatchdog, temporaryFolder, untilGone } from './start.ts'

const pidFile = (folder: string) => join(folder, 'gateway.pid.json')
const startSleep = () => startProcess('sleep', ['600'])

async function writeRecord(folder: string, record: object): Promise<void> {
  const defaults = {
    instance: 'old',
    startTime: '1',
    command: ['node'],
    startedAt: '2026-01-01T00:00:00.000Z',
  }
  await writeFile(pidFile(folder), JSON.stringify({ ...defaults, ...record }))
}

/** Leaves a running gateway behind, as a killed watchdog does. */
async function leaveOrphan(folder: string, port: number) {
  await using dog = await startTestWatchdog({ folder, port })
  const { gateway } = await dog.until('healthy')
  await dog.vanish()
  return { pid: gateway.pid ?? 0, instance: gateway.instance }
}

deepTest.concurrent(
  '[B-330] a foreign process keeps the port: reported, untouched, not started over',
  async () => {
    const port = await freePort()
    await using stranger = startProcess(process.execPath, [scriptPath('well-behaved-gateway'), String(port)])
    await waitUntil('the stranger listens', () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => true,
        () => false,
      ),
    )
    await using dog = await startTestWatchdog({
      port,
      timings: { pollIntervalMs: 100, failuresBeforeRestart: 100 },
    })
    const { detail, gateway } = await dog.until('foreign')
    expect(detail).toContain(`Process ${stranger.pid} (`)
    expect(gateway.pid).toBeNull()
    for (const path of ['/start', '/restart']) {
      expect(await dog.post(path)).toMatchObject({ status: 409, body: { code: 'gateway_not_ours' } })
    }
    expect((await dog.post('/stop')).body).toMatchObject({ state: 'stopped' })
    expect(await dog.post('/start')).toMatchObject({ status: 409 })
    expect(isRunning(stranger.pid)).toBe(true)
    expect(stranger.child.exitCode).toBeNull()
    expect(stranger.output()).not.toContain('draining')
    await stranger.kill('SIGKILL')
    expect((await dog.until('healthy')).restartCount).toBe(0)
  },
)

test.concurrent('[B-330] also one that takes connections and says nothing', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  await using dog = await startTestWatchdog({ port, timings: { healthTimeoutMs: 300 } })
  expect((await dog.until('foreign')).gateway.pid).toBeNull()
  silent.close()
})

deepTest.concurrent(
  '[B-331] an orphan is adopted, watched and restarted; its exit code is said to be unknown',
  async () => {
    await using folder = await temporaryFolder()
    const port = await freePort()
    const orphan = await leaveOrphan(folder.path, port)
    expect(isRunning(orphan.pid)).toBe(true)
    await using dog = await startTestWatchdog({ folder: folder.path, port })
    const adopted = await dog.until('healthy')
    expect(adopted).toMatchObject({ gateway: { ...orphan, adopted: true }, orphan: { outcome: 'adopted' } })
    process.kill(orphan.pid, 'SIGKILL')
    await waitUntil('another one runs', () => ![orphan.pid, null].includes(dog.status().gateway.pid))
    const after = await dog.until('healthy')
    expect(after).toMatchObject({ gateway: { adopted: false }, lastExit: { code: null, signal: null } })
    expect(after.lastExit?.reason).toContain('exit code is not known')
  },
)

deepTest.concurrent('[B-331] an orphan that hangs is adopted too, and replaced', async () => {
  await using folder = await temporaryFolder()
  const port = await freePort()
  const orphan = await leaveOrphan(folder.path, port)
  process.kill(orphan.pid, 'SIGSTOP')
  await using dog = await startTestWatchdog({
    folder: folder.path,
    port,
    timings: { pollIntervalMs: 1_000, healthTimeoutMs: 300 },
  })
  await untilGone(orphan.pid)
  const after = await dog.until('healthy')
  expect(after.gateway.pid).not.toBe(orphan.pid)
  expect(after.restarts.unhealthy).toBeGreaterThanOrEqual(1)
})

deepTest.concurrent(
  '[B-331] an adopted gateway is stopped on command, with what it left behind',
  async () => {
    await using folder = await temporaryFolder()
    const port = await freePort()
    await using first = await startTestWatchdog({ folder: folder.path, port, script: 'negligent-gateway' })
    await first.until('healthy')
    const { pid, childPid } = (await (await fetch(`${first.gatewayUrl}/health`)).json()) as Record<
      string,
      number
    >
    await first.vanish()
    await using dog = await startTestWatchdog({ folder: folder.path, port, script: 'negligent-gateway' })
    await dog.until('healthy')
    expect((await dog.post('/stop')).body).toMatchObject({ state: 'stopped', gateway: { pid: null } })
    await untilGone(pid ?? 0)
    await untilGone(childPid ?? 0)
  },
)

deepTest.concurrent('[B-332] the pid file of a dead process is no obstacle', async () => {
  await using folder = await temporaryFolder()
  const dead = spawn('true')
  await once(dead, 'exit')
  await writeRecord(folder.path, { pid: dead.pid })
  await using dog = await startTestWatchdog({ folder: folder.path })
  const status = await dog.until('healthy')
  expect(status.orphan).toMatchObject({ pid: dead.pid, outcome: 'gone' })
  expect(JSON.parse(await readFile(pidFile(folder.path), 'utf8'))).toMatchObject({
    pid: status.gateway.pid,
    instance: status.gateway.instance,
    startTime: expect.stringMatching(/^\d+$/),
  })
})

deepTest.concurrent.each(['another start time', 'the same start time'])(
  '[B-333] a reused pid with %s is never signalled',
  async (what) => {
    await using folder = await temporaryFolder()
    await using sleeper = startSleep()
    const startTime = what === 'the same start time' ? look(sleeper.pid).startTime : '1'
    await writeRecord(folder.path, { pid: sleeper.pid, startTime })
    await using dog = await startTestWatchdog({ folder: folder.path })
    const { orphan } = await dog.until('healthy')
    expect(orphan).toMatchObject({
      pid: sleeper.pid,
      outcome: 'gone',
      reason: expect.stringContaining('now belongs'),
    })
    await dog.post('/restart')
    await dog.post('/stop')
    expect(sleeper.child.signalCode).toBeNull()
    expect(isRunning(sleeper.pid)).toBe(true)
  },
)

deepTest.concurrent(
  '[B-334] a live process that cannot be judged is refused with the reason, and left alone',
  async () => {
    await using folder = await temporaryFolder()
    await using sleeper = startProcess('sleep', ['600'], { env: { PATCHBAY_GATEWAY_INSTANCE: 'old' } })
    // No start time was written, as on a system that does not tell it.
    await writeRecord(folder.path, { pid: sleeper.pid, startTime: null })
    await using dog = await startTestWatchdog({
      folder: folder.path,
      timings: { pollIntervalMs: 100, failuresBeforeRestart: 100 },
    })
    const { detail, orphan } = await dog.until('refused')
    expect(detail).toContain(`Process ${sleeper.pid}`)
    expect(orphan).toMatchObject({ outcome: 'refused', reason: detail })
    expect(await dog.post('/start')).toMatchObject({
      status: 409,
      body: { code: 'gateway_not_ours', detail },
    })
    expect(isRunning(sleeper.pid)).toBe(true)
    await sleeper.kill('SIGKILL')
    await dog.until('healthy')
  },
)

deepTest.concurrent.each([
  ['names pid 1', '{"pid":1,"instance":"old","startTime":null,"command":[],"startedAt":""}'],
  ['names everybody', '{"pid":-1,"instance":"old","startTime":null,"command":[],"startedAt":""}'],
  ['is cut short', '{"pid":12'],
])('[B-335] a pid file that %s is not believed', async (_what, content) => {
  await using folder = await temporaryFolder()
  await writeFile(pidFile(folder.path), content)
  await using dog = await startTestWatchdog({ folder: folder.path })
  expect((await dog.until('healthy')).orphan).toMatchObject({ pid: null, outcome: 'refused' })
})

test.concurrent('[B-336] a process that got the pid of an adopted gateway is not signalled', async () => {
  await using sleeper = startProcess('sleep', ['600'], { detached: true })
  const record = { pid: sleeper.pid, instance: 'old', startTime: '1', command: ['node'], startedAt: '' }
  const ended = Promise.withResolvers<void>()
  const adopted = adoptGateway(record, 20, () => ended.resolve())
  adopted.terminate()
  adopted.kill()
  await ended.promise
  expect(isRunning(sleeper.pid)).toBe(true)
  expect(sleeper.child.signalCode).toBeNull()
})
