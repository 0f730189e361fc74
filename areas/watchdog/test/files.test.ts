import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeThisProcess } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { lockStateFolder, StateFolderTaken } from '../src/index.ts'
import { emptyWhenTooLong, readLastLines } from '../src/last-lines.io.ts'
import { startTestWatchdog, temporaryFolder } from './start.ts'

deepTest.concurrent('[B-340] restart count and last exit survive the watchdog', async () => {
  await using folder = await temporaryFolder()
  const port = await freePort()
  let lastExit: unknown
  {
    await using dog = await startTestWatchdog({ folder: folder.path, port })
    const { gateway } = await dog.until('healthy')
    process.kill(gateway.pid ?? 0, 'SIGKILL')
    await waitUntil('it was restarted', () => dog.status().restartCount === 1)
    await dog.until('healthy')
    await dog.post('/restart')
    lastExit = dog.status().lastExit
    await dog.vanish()
  }
  await using next = await startTestWatchdog({ folder: folder.path, port })
  expect(next.status()).toMatchObject({
    restartCount: 2,
    restarts: { exited: 1, unhealthy: 0, commanded: 1 },
    lastExit,
  })
})

test.concurrent('[B-340] a damaged state file is kept aside and a new one begun', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'state.json'), '{"wanted":"stop')
  await using dog = await startTestWatchdog({ folder: folder.path })
  await dog.until('healthy')
  await dog.post('/watchdog', { autoRestart: false })
  expect(await readFile(join(folder.path, 'state.json.damaged'), 'utf8')).toBe('{"wanted":"stop')
  expect(JSON.parse(await readFile(join(folder.path, 'state.json'), 'utf8'))).toMatchObject({
    switchedTo: false,
  })
})

deepTest.concurrent('[B-341] files are for their owner only, and no draft is left behind', async () => {
  await using parent = await temporaryFolder()
  const folder = join(parent.path, 'new', 'watchdog')
  await using dog = await startTestWatchdog({ folder })
  await dog.until('healthy')
  await dog.post('/restart')
  const names = await readdir(folder)
  expect(names.toSorted()).toEqual(['gateway.pid.json', 'gateway.stderr', 'state.json'])
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777))
  expect(modes).toEqual([0o600, 0o600, 0o600])
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test.concurrent('[B-341] what is written to standard error cannot fill the disk', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'stderr')
  await writeFile(path, `${'x'.repeat(3_000)}\n${'y'.repeat(3_000)}\n`)
  expect(readLastLines(path).join('').length).toBeLessThanOrEqual(4_096)
  emptyWhenTooLong(path)
  expect((await stat(path)).size).toBe(6_002)
  await writeFile(path, 'x'.repeat(1024 * 1024 + 1))
  emptyWhenTooLong(path)
  expect((await stat(path)).size).toBe(0)
})

const lock = (folder: string) => lockStateFolder(folder, { createId: randomUUID, now: Date.now })
const HOLDER = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))

deepTest.concurrent('[B-342] a second watchdog is refused and told who has the folder', async () => {
  await using folder = await temporaryFolder()
  await using holder = startProcess(process.execPath, [HOLDER, folder.path])
  await waitUntil('the first has it', () => holder.output().includes('locked'))
  await expect(lock(folder.path)).rejects.toBeInstanceOf(StateFolderTaken)
  await expect(lock(folder.path)).rejects.toThrow(`${holder.pid}`)
  holder.child.kill('SIGKILL')
  await holder.exited
  const held = await lock(folder.path)
  await expect(lock(folder.path)).rejects.toBeInstanceOf(StateFolderTaken)
  await held.release()
  await (await lock(folder.path)).release()
})

deepTest.concurrent('[B-342] of several that find a dead holder at once, one gets the folder', async () => {
  await using folder = await temporaryFolder()
  const dead = { ...describeThisProcess(), id: randomUUID(), started: '1', since: '2026-01-01T00:00:00.000Z' }
  await writeFile(join(folder.path, 'watchdog.lock'), JSON.stringify(dead))
  await using stack = new AsyncDisposableStack()
  const holders = Array.from({ length: 5 }, () =>
    stack.use(startProcess(process.execPath, [HOLDER, folder.path])),
  )
  await waitUntil('all have tried', () => holders.every((one) => /locked|refused/.test(one.output())), {
    deadlineMs: 20_000,
  })
  expect(holders.filter((one) => one.output().includes('locked'))).toHaveLength(1)
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test.concurrent('[B-342] the lock that a killed container left is taken over', async () => {
  await using folder = await temporaryFolder()
  const self = describeThisProcess()
  const unseen = { ...self, id: randomUUID(), machine: 'another', host: 'another', since: '' }
  await writeFile(join(folder.path, 'watchdog.lock'), JSON.stringify(unseen))
  await using held = await lock(folder.path)
  expect(await held.isHeld()).toBe(true)
}, 20_000)
