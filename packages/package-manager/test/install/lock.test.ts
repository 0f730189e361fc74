import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deepTest } from '@patchbay/testkit/depth'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Layout, layoutOf } from '../../src/install/layout.ts'
import { describeSelf, livenessOf, type LockHolder } from '../../src/install/lock/lock-holder.ts'
import { withRootLock } from '../../src/install/lock/root-lock.ts'
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
  await mkdir(layout.claims, { recursive: true })
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(dirname(layout.root), { recursive: true, force: true })
})

function hold<T>(run: () => Promise<T>, patienceMs = 20_000, notices: string[] = []): Promise<T> {
  const { now, randomUUID: createId } = systemSurroundings
  return withRootLock(layout, { patienceMs, now, createId, notify: (text) => notices.push(text) }, run)
}

function start(times: number, ending: string): ChildProcess {
  const child = spawn(process.execPath, [SCRIPT, layout.root, layout.state, log, String(times), ending])
  running.push(child)
  return child
}

async function plant(path: string, holder: Partial<LockHolder>): Promise<void> {
  await writeFile(
    path,
    JSON.stringify({ ...(await describeSelf(ID, '2026-01-01T00:00:00.000Z')), ...holder }),
  )
}

const nothing = async () => undefined
const leftovers = async () => [...(await readdir(layout.root)), ...(await readdir(layout.claims))]

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

test('[A-386] nothing that ran before the machine was started again runs still', async () => {
  const self = { ...(await describeSelf(OTHER_ID, '')), machineId: 'a1' }
  const holder = { ...self, id: ID, machine: 'another-boot pid:[1]' }
  expect(await livenessOf(holder, self)).toBe('gone')
})

test.each([
  ['with the same name', { machineId: 'b2' }],
  ['that does not tell which it is', { machineId: '' }],
])('[A-387] a holder on another boot of a machine %s is never taken over', async (_, { machineId }) => {
  await plant(layout.lock, { machine: 'another-boot pid:[1]', machineId })
  await expect(hold(nothing, 100)).rejects.toMatchObject({ code: 'locked' })
  const unknown = { ...(await describeSelf(OTHER_ID, '')), machineId: '' }
  const holder = { ...unknown, id: ID, machine: 'another-boot pid:[1]' }
  expect(await livenessOf(holder, unknown)).toBe('unknown')
})

test('[A-386] a process whose entry cannot be read is asked by a signal', async () => {
  const self = await describeSelf(OTHER_ID, '')
  const child = start(1, 'stay')
  await once(child, 'spawn')
  const holder = { ...self, id: ID, pid: child.pid ?? 0 }
  const nothingShown = async () => undefined
  expect(await livenessOf(holder, self, nothingShown)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await livenessOf(holder, self, nothingShown)).toBe('gone')
})

deepTest(
  '[A-386] of many that find the holder dead one is inside, also when all look at once',
  async () => {
    let [inside, entered] = [0, 0]
    const contend = async (index: number) => {
      for (let round = 0; round < 4; round += 1) {
        await hold(async () => {
          inside += 1
          entered += 1
          expect(inside).toBe(1)
          await setImmediate()
          inside -= 1
          if ((index + round) % 2 === 1) await leaveBehind()
        })
      }
    }
    await plant(layout.lock, { started: '1' })
    await Promise.all(Array.from({ length: 8 }, (_, index) => contend(index)))
    expect(entered).toBe(32)
    await hold(nothing)
    expect(await leftovers()).toEqual([])
  },
  60_000,
)

/** The holder's claim becomes that of a process which is no more. */
async function leaveBehind(): Promise<void> {
  const holder: LockHolder = JSON.parse(await readFile(layout.lock, 'utf8'))
  await plant(`${log}.changed`, {
    id: holder.id.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    started: '1',
  })
  await rename(`${log}.changed`, layout.lock)
}

test('[A-386] a taker that died in the middle is replaced as well', async () => {
  await plant(layout.lock, { started: '1' })
  await plant(`${layout.lock}.${ID}`, { id: OTHER_ID, started: '1' })
  await hold(nothing, 5_000)
  expect(await leftovers()).toEqual([])
})

deepTest('[A-386] who was slow to take the place of a dead holder finds another one there', async () => {
  await plant(layout.lock, { started: '1' })
  await plant(`${layout.lock}.${ID}`, { id: OTHER_ID })
  const slow = hold(nothing, 500)
  await setImmediate()
  // The taker, which lives, is done: its own claim is in the place of the dead one.
  await plant(`${log}.new`, { id: OTHER_ID })
  await rename(`${log}.new`, layout.lock)
  await rm(`${layout.lock}.${ID}`)
  await expect(slow).rejects.toMatchObject({ code: 'locked' })
  expect(await readFile(layout.lock, 'utf8')).toContain(OTHER_ID)
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
  const [boot = ''] = (await describeSelf(ID, '')).machine.split(' ')
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
