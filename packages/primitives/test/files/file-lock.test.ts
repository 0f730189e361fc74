import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readChain } from '../../src/files/claim-chain.ts'
import {
  acquireLock,
  type FileLock,
  LockBusy,
  type LockHolder,
  type LockOptions,
} from '../../src/files/index.ts'
import { describeThisProcess, type ProcessIdentity, readProcessStat } from '../../src/process/index.ts'

const SCRIPT = join(import.meta.dirname, 'lock-process.ts')
const ID = '11111111-2222-3333-4444-555555555555'
const ROUNDS = depth({ common: 2, deep: 4 })
const OTHER_ID = '99999999-2222-3333-4444-555555555555'

let folder = ''
let head = ''
let log = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-lock-'))
  head = join(folder, 'it.lock')
  log = join(folder, 'log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function acquire(changes: Partial<LockOptions> = {}, file = head): Promise<FileLock> {
  return acquireLock(file, { createId: randomUUID, now: Date.now, patienceMs: 20_000, ...changes })
}

async function plant(holder: ProcessIdentity): Promise<void> {
  await writeFile(head, textOf(ID, holder))
}

function textOf(id: string, holder: ProcessIdentity): string {
  return JSON.stringify({ id, ...holder, since: '2026-01-01T00:00:00.000Z' })
}

test('[PR-1] a holder that hangs keeps the lock; who waits gives up', async () => {
  await using holder = startProcess(process.execPath, [SCRIPT, head, log, '1', 'hang'])
  await waitUntil('the lock is taken', async () => (await readFile(log, 'utf8').catch(() => '')) !== '')
  process.kill(holder.pid, 'SIGSTOP')
  const waiting = acquire({ patienceMs: 700, silenceMs: 200 })
  await expect(waiting).rejects.toBeInstanceOf(LockBusy)
  await holder.kill('SIGKILL')
  await (await acquire()).release()
})

deepTest('[B-554] a holder that cannot be seen keeps the lock as long as its pulse beats', async () => {
  await plant({ ...describeThisProcess(), machine: 'elsewhere', host: 'elsewhere', started: '1' })
  let beats = 0
  const pulse = setInterval(() => void utimes(head, (beats += 1), beats), 50)
  await expect(acquire({ patienceMs: 1_600, silenceMs: 1_000 })).rejects.toBeInstanceOf(LockBusy)
  clearInterval(pulse)
  const stopped = performance.now()
  const lock = await acquire({ silenceMs: 400 })
  expect(performance.now() - stopped).toBeGreaterThan(350)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('[B-554] a holder that lost the lock knows it, and leaves the lock of the next one alone', async () => {
  const robbed = await acquire({ pulseMs: 60_000 })
  expect(await robbed.isHeld()).toBe(true)
  const claim = JSON.parse(await readFile(head, 'utf8')) as object
  // From now on it looks like a process of another machine, and it has no pulse.
  await writeFile(head, JSON.stringify({ ...claim, machine: 'elsewhere', host: 'elsewhere' }))
  const next = await acquire({ silenceMs: 150 })
  expect(await robbed.isHeld()).toBe(false)
  await robbed.release()
  expect(await next.isHeld()).toBe(true)
  await expect(acquire({ patienceMs: 150 })).rejects.toBeInstanceOf(LockBusy)
  await next.release()
  expect(await readdir(folder)).toEqual([])
})

test('[B-554] a holder whose pulse stood still does not trust its lock', async () => {
  const lock = await acquire({ pulseMs: 10, silenceMs: 200 })
  await rm(head)
  await expect.poll(() => lock.isHeld(), { timeout: 10_000 }).toBe(false)
})

deepTest(
  '[B-555] of many that find the holder dead one gets the lock, also when all look at once',
  async () => {
    const dead = { ...describeThisProcess(), started: '1' }
    let [inside, entered] = [0, 0]
    const contend = async (index: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const lock = await acquire({ patienceMs: 100_000 })
        inside += 1
        entered += 1
        expect(inside).toBe(1)
        await setImmediate()
        inside -= 1
        if ((index + round) % 2 === 0) await lock.release()
        else await leaveBehind(dead)
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, index) => contend(index)))
    expect(entered).toBe(12 * ROUNDS)
    await (await acquire()).release()
    expect(await readdir(folder)).toEqual([])
  },
  120_000,
)

test('[B-555] who was slow to take the place of a dead holder finds that others came and went', async () => {
  const self = describeThisProcess()
  await plant({ ...self, started: '1' })
  const others = textOf(OTHER_ID, self)
  // Between its look at the dead holder and its claim, somebody takes over and is done, and the next one begins.
  const createId = () => {
    rmSync(head)
    writeFileSync(head, others)
    return randomUUID()
  }
  await expect(acquire({ createId, patienceMs: 200 })).rejects.toBeInstanceOf(LockBusy)
  expect(await readdir(folder)).toEqual(['it.lock'])
  expect(await readFile(head, 'utf8')).toBe(others)
})

/** The holder's claim becomes that of a process which is no more. */
async function leaveBehind(holder: ProcessIdentity): Promise<void> {
  const { last } = await readChain(head)
  if (last === undefined) throw new Error('nobody holds the lock')
  const changed = join(folder, 'changed')
  await writeFile(changed, textOf(last.claim.id, holder))
  await rename(changed, last.path)
}

deepTest(
  '[B-555] of many processes that find the holder dead one gets the lock, however many holders die',
  async () => {
    const ends = [0, 'SIGKILL', 0, 'SIGKILL', 0, 'SIGKILL']
    const [contenders, rounds] = [ends.length, 2]
    await plant({ ...describeThisProcess(), started: 'before' })
    for (let round = 0; round < rounds; round += 1) {
      const running = Array.from({ length: contenders }, (_, index) =>
        startProcess(process.execPath, [SCRIPT, head, log, '8', index % 2 ? 'die' : 'release']),
      )
      const ended = () => running.every(({ child }) => child.exitCode !== null || child.signalCode !== null)
      await waitUntil('all contenders are through', ended, { deadlineMs: 60_000 })
      expect(running.map(({ child }) => child.exitCode ?? child.signalCode)).toEqual(ends)
    }
    const lines = (await readFile(log, 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(contenders * rounds * 8 * 2)
    for (let index = 0; index < lines.length; index += 2) {
      const [what, pid] = lines[index]?.split(' ') ?? []
      expect(what).toBe('enter')
      expect(lines[index + 1]).toBe(`leave ${pid}`)
    }
    await (await acquire()).release()
    expect(await readdir(folder)).toEqual(['log'])
  },
  120_000,
)

test('[B-556] a process with the number of the dead holder is not taken for it', async () => {
  const self = describeThisProcess()
  await plant({ ...self, started: '1' })
  await (await acquire({ patienceMs: 2_000 })).release()
  await plant(self)
  await expect(acquire({ patienceMs: 150 })).rejects.toBeInstanceOf(LockBusy)
})

test('[B-556] a holder that nobody has buried is dead', async () => {
  // The shell starts a process and becomes another program, which never asks how it ended.
  await using parent = startProcess('sh', ['-c', 'sleep 0.1 & echo "child $!"; exec sleep 60'])
  await waitUntil('the child has started', () => parent.output().includes('child'))
  const pid = Number(/child (\d+)/.exec(parent.output())?.[1])
  await waitUntil('the child is dead', () => readProcessStat(pid)?.hasEnded === true)
  const started = readProcessStat(pid)?.started ?? ''
  expect(() => process.kill(pid, 0)).not.toThrow()
  await plant({ ...describeThisProcess(), pid, started })
  await (await acquire({ patienceMs: 2_000 })).release()
})

deepTest('[B-557] a lock file that holds no claim is that of a holder that cannot be seen', async () => {
  const texts = {
    nothing: '',
    half: '{"id":"11111111-2222-3333',
    hostile: textOf('../../../../tmp/x', describeThisProcess()),
    nobody: `{"id":"${ID}"}`,
  }
  // Side by side: nearly all of it is waiting.
  const outwait = async ([name, text]: [string, string]) => {
    const file = join(folder, `${name}.lock`)
    await writeFile(file, text)
    await expect(acquire({ patienceMs: 150, silenceMs: Infinity }, file)).rejects.toBeInstanceOf(LockBusy)
    const lock = await acquire({ silenceMs: 300 }, file)
    expect(await lock.isHeld()).toBe(true)
    await lock.release()
  }
  await Promise.all(Object.entries(texts).map(outwait))
  expect(await readdir(folder)).toEqual([])
})

test('[B-557] a chain that is being removed cannot be joined, unless its holder died over it', async () => {
  const self = describeThisProcess()
  await plant({ ...self, started: '1' })
  const end = `${head}.${ID}`
  await writeFile(end, textOf(OTHER_ID, self))
  await expect(acquire({ patienceMs: 150 })).rejects.toBeInstanceOf(LockBusy)
  await writeFile(end, textOf(OTHER_ID, { ...self, started: '1' }))
  await (await acquire({ patienceMs: 2_000 })).release()
  expect(await readdir(folder)).toEqual([])
})

test('[PR-3] a holder that cannot be seen is given the time to show a pulse, however short the patience', async () => {
  const elsewhere = { ...describeThisProcess(), machine: 'elsewhere', host: 'elsewhere' }
  await plant(elsewhere)
  await (await acquire({ patienceMs: 0, silenceMs: 300 })).release()
  await plant(elsewhere)
  const asked = performance.now()
  await expect(acquire({ patienceMs: 0, silenceMs: Infinity })).rejects.toBeInstanceOf(LockBusy)
  expect(performance.now() - asked).toBeLessThan(250)
})

test('[PR-4] who waits is told once who holds the lock since when, and so is who gives up', async () => {
  const now = () => Date.parse('2026-02-03T04:05:06.000Z')
  await using lock = await acquire({ now })
  const told: unknown[] = []
  const busy = (holder: LockHolder | undefined) => new Error(`${holder?.pid} since ${holder?.since}`)
  const waiting = acquire({ patienceMs: 100, onWait: (holder) => told.push(holder), busy })
  await expect(waiting).rejects.toThrow(`${process.pid} since 2026-02-03T04:05:06.000Z`)
  expect(told).toEqual([{ ...describeThisProcess(), since: '2026-02-03T04:05:06.000Z' }])
  expect(await lock.isHeld()).toBe(true)
})

test('[PR-4] whoever is told to stop waits no longer', async () => {
  await using lock = await acquire()
  await expect(acquire({ signal: AbortSignal.timeout(50) })).rejects.toBeInstanceOf(LockBusy)
  expect(await lock.isHeld()).toBe(true)
})

test('[PR-5] what contenders that were killed left half written goes with the next holder', async () => {
  await writeFile(`${head}.${ID}.part`, '{"id":"')
  await writeFile(`${head}.${ID}.${OTHER_ID}.part`, '')
  await writeFile(`${head}.mine.part`, 'of somebody else')
  await (await acquire()).release()
  expect(await readdir(folder)).toEqual(['it.lock.mine.part'])
})

test('[PR-5] a pipe, a link and a folder in the place of a lock are no lock of anybody that can be seen', async () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
  await mkdir(join(folder, 'folder'))
  await writeFile(join(folder, 'text'), textOf(ID, { ...describeThisProcess(), started: '1' }))
  await symlink(join(folder, 'text'), join(folder, 'link'))
  for (const name of ['pipe', 'folder', 'link']) {
    const file = join(folder, name)
    await expect(acquire({ patienceMs: 0, silenceMs: Infinity }, file)).rejects.toBeInstanceOf(LockBusy)
  }
})

test('[PR-5] a chain longer than anybody needs is a lock that nobody gets', async () => {
  const dead = { ...describeThisProcess(), started: '1' }
  const ids = Array.from({ length: 1_000 }, () => randomUUID())
  await Promise.all(
    ids.map((id, index) => writeFile(index === 0 ? head : `${head}.${ids[index - 1]}`, textOf(id, dead))),
  )
  await expect(acquire({ patienceMs: 0 })).rejects.toBeInstanceOf(LockBusy)
})
