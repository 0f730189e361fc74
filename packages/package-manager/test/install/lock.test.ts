import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LockHolder } from '@patchbay/primitives/files'
import { describeThisProcess } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterEach, beforeEach, expect } from 'vitest'
import { type Layout, layoutOf } from '../../src/install/layout.ts'
import { withRootLock } from '../../src/install/root-lock.ts'
import { systemSurroundings } from '../../src/surroundings.ts'
import { openShop } from './blinky.ts'
import { BLINKY, FAST_FOLDER, startInstallation } from './installation.ts'

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'lock-process.ts')
const ID = '11111111-2222-3333-4444-555555555555'
const OTHER_ID = '99999999-2222-3333-4444-555555555555'

let layout: Layout
let log = ''
const running: ChildProcess[] = []
beforeEach(async () => {
  const folder = await mkdtemp(join(FAST_FOLDER, 'patchbay-lock-'))
  layout = layoutOf(join(folder, 'root'), join(folder, 'state'))
  log = join(folder, 'log')
  await mkdir(layout.root)
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(dirname(layout.root), { recursive: true, force: true })
})

function hold<T>(run: () => Promise<T>, patienceMs = 20_000, notices: string[] = []): Promise<T> {
  const { now, randomUUID: createId } = systemSurroundings
  return withRootLock(layout.lock, { patienceMs, now, createId, notify: (text) => notices.push(text) }, run)
}

function start(times: number, ending: string): ChildProcess {
  const child = spawn(process.execPath, [SCRIPT, layout.root, layout.state, log, String(times), ending])
  running.push(child)
  return child
}

async function plant(path: string, holder: Partial<LockHolder>, id = ID): Promise<void> {
  const since = '2026-01-01T00:00:00.000Z'
  await writeFile(path, JSON.stringify({ id, since, ...describeThisProcess(), ...holder }))
}

const nothing = async () => undefined
const leftovers = () => readdir(layout.root)

test('[A-385] two managers at once work one after the other', async () => {
  const shop = openShop()
  shop.add('com.example.other', '1.0.0', { 'plugins/main.py': 'other' })
  await using installation = await startInstallation(shop)
  const managers = await Promise.all([installation.open(), installation.open()])
  await Promise.all([
    managers[0].install(BLINKY),
    managers[1].install('com.example.other'),
    managers[1].install(BLINKY),
    managers[0].install('com.example.other'),
  ])
  expect((await managers[0].list()).map(({ identifier }) => identifier)).toEqual([
    BLINKY,
    'com.example.other',
  ])
  expect(await managers[1].check()).toMatchObject([{ isWhole: true }, { isWhole: true }])
  expect(shop.opened).toHaveLength(2)
})

test('[A-385] who waits is told for whom, once, and in the end fails with the same', async () => {
  const child = start(1, 'stay')
  await expect.poll(() => readFile(log, 'utf8').catch(() => ''), { timeout: 20_000 }).toContain('enter')
  const notices: string[] = []
  const waiting = hold(nothing, 200, notices)
  await expect(waiting).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(layout.lock),
  })
  const who = new RegExp(`process ${child.pid} on ${hostname()} since \\d{4}-`)
  await expect(waiting).rejects.toThrow(who)
  expect(notices).toEqual([expect.stringMatching(who)])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await hold(nothing, 5_000)
  expect(await leftovers()).toEqual([])
}, 60_000)

test('[A-386] a process with the number of the dead holder is not taken for it', async () => {
  await plant(layout.lock, { started: '1' })
  await hold(nothing, 5_000)
  await plant(layout.lock, {})
  await expect(hold(nothing, 100)).rejects.toMatchObject({ code: 'locked' })
})

test.each([
  ['with the same name', { machineId: 'b2' }],
  ['that does not tell which it is', { machineId: '' }],
])('[A-387] a holder on another boot of a machine %s is never taken over', async (_, { machineId }) => {
  await plant(layout.lock, { machine: 'another-boot pid:[1]', machineId })
  await expect(hold(nothing, 100)).rejects.toMatchObject({ code: 'locked' })
})

test('[A-386] a taker that died in the middle is replaced as well', async () => {
  await plant(layout.lock, { started: '1' })
  await plant(`${layout.lock}.${ID}`, { started: '1' }, OTHER_ID)
  await hold(nothing, 5_000)
  expect(await leftovers()).toEqual([])
})

deepTest(
  '[A-386] of several processes one is inside, however many of them die there',
  async () => {
    const endings = ['release', 'die', 'release', 'die']
    await plant(layout.lock, { started: '1' })
    const exits = await Promise.all(endings.map((ending) => once(start(8, ending), 'exit')))
    expect(exits.map(([code, signal]) => signal ?? code)).toEqual([0, 'SIGKILL', 0, 'SIGKILL'])
    const lines = (await readFile(log, 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(endings.length * 8 * 2)
    for (let index = 0; index < lines.length; index += 2) {
      const [what, pid] = lines[index]?.split(' ') ?? []
      expect(what).toBe('enter')
      expect(lines[index + 1]).toBe(`leave ${pid}`)
    }
    await hold(nothing)
    expect(await leftovers()).toEqual([])
  },
  60_000,
)

test.each([
  ['of another machine', { host: 'elsewhere', machine: 'elsewhere pid:[1]' }],
  ['of another container on the same boot', { machine: 'MACHINE pid:[1]' }],
])('[A-387] a holder %s is never taken over', async (_, holder) => {
  const [boot = ''] = describeThisProcess().machine.split(' ')
  const machine = holder.machine.replace('MACHINE', boot)
  await plant(layout.lock, { ...holder, machine, started: '1' })
  await expect(hold(nothing, 100)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(`delete ${layout.lock}`),
  })
})

test.each([
  ['nothing', ''],
  ['half a claim', '{"id":"11111111-2222-3333'],
  ['a hostile id', '{"id":"../../../../tmp/x","pid":1,"host":"h","machine":"m","started":"1","since":""}'],
])('[A-387] a lock file that holds %s is never taken over', async (_, text) => {
  await writeFile(layout.lock, text)
  await expect(hold(nothing, 100)).rejects.toThrow('cannot be told which')
  expect(await readFile(layout.lock, 'utf8')).toBe(text)
})
