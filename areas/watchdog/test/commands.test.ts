import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import { isRunning } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { CommandQueue } from '../src/command-queue.ts'
import { startTestWatchdog, temporaryFolder } from './start.ts'

describe('[B-320] the queue', () => {
  test('runs one at a time, in the order of arrival, past one that fails', async () => {
    const queue = new CommandQueue<string>({ capacity: 16, patienceMs: 60_000 })
    const story: string[] = []
    const command = (name: string) => async () => {
      story.push(`${name} begins`)
      await sleep(5)
      story.push(`${name} ends`)
      if (name === 'b') throw new Problem('shutting_down')
      return name
    }
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(name, command(name))))
    expect(story).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('lets one that repeats the last one waiting join it, and no other', async () => {
    const queue = new CommandQueue<string>({ capacity: 16, patienceMs: 60_000 })
    const story: string[] = []
    const give = (name: string) =>
      queue.run(name, async () => {
        story.push(name)
        await sleep(5)
        return name
      })
    const first = give('stop')
    // It has begun now: the next of its kind must not be answered by what may be half done.
    await sleep(1)
    await Promise.all([first, ...['stop', 'stop', 'start', 'start', 'stop'].map(give)])
    expect(story).toEqual(['stop', 'stop', 'start', 'stop'])
  })

  test('never joins one without a name', async () => {
    const queue = new CommandQueue<number>({ capacity: 16, patienceMs: 60_000 })
    let count = 0
    await Promise.all([1, 2, 3].map(() => queue.run(undefined, async () => (count += 1))))
    expect(count).toBe(3)
  })
})

describe('[B-321] the queue', () => {
  test('holds 16 that wait and refuses the next with 429', async () => {
    const queue = new CommandQueue<void>({ capacity: 16, patienceMs: 60_000 })
    const gate = Promise.withResolvers<void>()
    const busy = queue.run(undefined, () => gate.promise)
    await sleep(1)
    const waiting = Array.from({ length: 16 }, () => queue.run(undefined, async () => {}))
    await expect(queue.run(undefined, async () => {})).rejects.toMatchObject({ status: 429 })
    gate.resolve()
    await Promise.all([busy, ...waiting])
    await queue.run(undefined, async () => {})
  })

  test('drops one whose turn comes too late, without doing it', async () => {
    const queue = new CommandQueue<void>({ capacity: 16, patienceMs: 10 })
    const busy = queue.run(undefined, () => sleep(50))
    let done = false
    await expect(
      queue.run(undefined, async () => {
        done = true
      }),
    ).rejects.toMatchObject({ code: 'deadline_exceeded' })
    await busy
    expect(done).toBe(false)
  })
})

test.concurrent('[B-322][B-323] start and stop answer the status, and repeating them changes nothing', async () => {
  await using dog = await startTestWatchdog()
  const { gateway } = await dog.until('healthy')
  const again = await dog.post('/start')
  expect(again).toMatchObject({ status: 200, body: { state: 'healthy', restartCount: 0, gateway } })
  for (let count = 0; count < 2; count += 1) {
    expect(await dog.post('/stop')).toMatchObject({
      status: 200,
      body: { state: 'stopped', wanted: 'stopped' },
    })
    expect(isRunning(gateway.pid ?? 0)).toBe(false)
  }
  const started = await dog.post('/start')
  expect(started.body).toMatchObject({ state: 'healthy', wanted: 'running', restartCount: 0 })
  expect(started.body.gateway.pid).not.toBe(gateway.pid)
})

deepTest.concurrent(
  '[B-320] many commands at once leave one gateway, in the state that was asked for last',
  async () => {
    await using dog = await startTestWatchdog()
    await dog.until('healthy')
    const commands = ['/stop', '/start', '/restart', '/restart', '/stop', '/start']
    const answers = await Promise.all(commands.map((path) => dog.post(path)))
    expect(answers.map(({ status }) => status)).toEqual(commands.map(() => 200))
    expect(dog.status()).toMatchObject({ state: 'healthy', wanted: 'running' })
    // The two restarts in a row were one.
    expect(dog.status().restarts.commanded).toBe(1)
  },
)

test.concurrent('[B-323][B-327] restart answers when the new one is healthy, also when none ran', async () => {
  await using dog = await startTestWatchdog()
  const { gateway } = await dog.until('healthy')
  const { body } = await dog.post('/restart')
  expect(body).toMatchObject({ state: 'healthy', restarts: { commanded: 1 } })
  expect(body.gateway.pid).not.toBe(gateway.pid)
  await dog.post('/stop')
  expect((await dog.post('/restart')).body).toMatchObject({ state: 'healthy', wanted: 'running' })
})

deepTest.concurrent('[B-323] start of a boot crasher answers with what came of it', async () => {
  await using dog = await startTestWatchdog({
    script: 'boot-crasher',
    timings: { backoffFirstMs: 60_000, backoffMostMs: 60_000 },
  })
  await dog.until('backing-off')
  const { status, body } = await dog.post('/start')
  expect({ status, state: body.state }).toEqual({ status: 200, state: 'backing-off' })
})

deepTest.concurrent('[B-324][B-340] a stopped gateway stays stopped when the watchdog restarts', async () => {
  await using folder = await temporaryFolder()
  {
    await using dog = await startTestWatchdog({ folder: folder.path })
    await dog.until('healthy')
    await dog.post('/stop')
  }
  await using next = await startTestWatchdog({
    folder: folder.path,
    timings: { pollIntervalMs: 20, failuresBeforeRestart: 1_000 },
  })
  await next.until('stopped')
  // Nothing happens: a handful of polls pass, any of which could have started it.
  await sleep(300)
  expect(next.status()).toMatchObject({ state: 'stopped', wanted: 'stopped', gateway: { pid: null } })
  expect((await next.post('/start')).body.state).toBe('healthy')
})

test.concurrent('[B-325] the switch toggles without a body, is set by one, and is remembered', async () => {
  await using folder = await temporaryFolder()
  {
    await using dog = await startTestWatchdog({ folder: folder.path })
    const switched = async (body?: unknown) => (await dog.post('/watchdog', body)).body.autoRestart
    expect(await switched()).toBe(false)
    expect(await switched({})).toBe(true)
    expect(await switched({ autoRestart: true })).toBe(true)
    expect(await switched({ autoRestart: false })).toBe(false)
    expect(await switched({ autoRestart: false })).toBe(false)
    await dog.until('healthy')
  }
  await using next = await startTestWatchdog({ folder: folder.path, autoRestart: true })
  expect(next.status().autoRestart).toBe(false)
})

deepTest.concurrent(
  '[B-325] until somebody switches it the configuration decides, also after a restart',
  async () => {
    await using folder = await temporaryFolder()
    {
      await using dog = await startTestWatchdog({ folder: folder.path, autoRestart: true })
      await dog.until('healthy')
      await dog.post('/restart')
    }
    await using next = await startTestWatchdog({ folder: folder.path, autoRestart: false })
    expect(next.status()).toMatchObject({ autoRestart: false, restartCount: 1 })
    await next.until('healthy')
  },
)
