import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect } from 'vitest'
import { createRelay } from './relay.ts'
import { migratedDatabase, spawnServer, startTestServer } from './start.ts'

/** The server's deadline for a handler is 10 s; statements and connections give up well before. */
const REQUEST_DEADLINE_MS = 10_000
const CALLERS = 8

/** Asks without pause until told to stop, and remembers what it got and how long the slowest answer took. */
function startLoad(url: string) {
  const statuses = new Map<number | 'none', number>()
  let slowestMs = 0
  const stopping = new AbortController()
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      const status = await fetch(url, { signal: AbortSignal.timeout(2 * REQUEST_DEADLINE_MS) }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => 'none' as const,
      )
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(5)
    }
  })
  return {
    count: (status: number) => statuses.get(status) ?? 0,
    async stop() {
      stopping.abort()
      await Promise.all(callers)
      return { statuses, slowestMs }
    },
  }
}

async function timeUntilReady(url: string, status: number): Promise<number> {
  const begun = performance.now()
  await waitUntil(`/ready answers ${status}`, async () => (await fetch(`${url}/ready`)).status === status, {
    deadlineMs: 15_000,
    intervalMs: 25,
  })
  return performance.now() - begun
}

async function startUnderLoad() {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await startPostgres())
  const redis = stack.use(await startRedis())
  const server = stack.use(
    await spawnServer({ DATABASE_URL: await postgres.createDatabase('patchbay'), REDIS_URL: redis.url }),
  )
  await timeUntilReady(server.url, 200)
  const load = startLoad(`${server.url}/api/about`)
  const health = startLoad(`${server.url}/health`)
  await someAnswered(load, 200)
  const owned = stack.move()
  return { postgres, redis, server, load, health, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The server in this process, on engines that it loses while others keep theirs. */
async function startSmall() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await migratedDatabase())
  const postgres = stack.use(await createRelay(database.url))
  const redis = stack.use(await startRedis())
  await postgres.open()
  const server = stack.use(await startTestServer({ DATABASE_URL: postgres.url, REDIS_URL: redis.url }))
  const owned = stack.move()
  return { postgres, redis, server, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

type Small = Awaited<ReturnType<typeof startSmall>>

async function someAnswered(load: ReturnType<typeof startLoad>, status: number): Promise<void> {
  const before = load.count(status)
  await waitUntil(`some are answered ${status}`, () => load.count(status) > before + 20, {
    deadlineMs: 2 * REQUEST_DEADLINE_MS,
  })
}

test.each<[string, (rig: Small) => Promise<void> | void, (rig: Small) => Promise<void> | void]>([
  ['a PostgreSQL that is gone', ({ postgres }) => postgres.cut(), ({ postgres }) => postgres.open()],
  ['a PostgreSQL that hangs', ({ postgres }) => postgres.block(), ({ postgres }) => postgres.unblock()],
  ['a Redis that is gone', ({ redis }) => redis.kill(), ({ redis }) => redis.restart()],
])(
  '[S-7] %s shows in /ready alone, and comes back',
  async (_what, lose, giveBack) => {
    await using rig = await startSmall()
    const { url } = rig.server
    await timeUntilReady(url, 200)
    const load = startLoad(`${url}/api/about`)
    const health = startLoad(`${url}/health`)
    await someAnswered(load, 200)
    await lose(rig)
    await timeUntilReady(url, 503)
    await giveBack(rig)
    await timeUntilReady(url, 200)
    await someAnswered(load, 200)
    // One that hangs past its deadline would have no status.
    const { statuses } = await load.stop()
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect([...(await health.stop()).statuses.keys()]).toEqual([200])
  },
  60_000,
)

deepTest.each(['postgres', 'redis'] as const)(
  '[S-7] %s is killed under load and comes back',
  async (engine) => {
    await using rig = await startUnderLoad()
    const { server, load, health } = rig
    await rig[engine].kill()
    expect(await timeUntilReady(server.url, 503)).toBeLessThan(2_000)
    // Long enough for what was asked before to be over.
    await sleep(1_000)
    await rig[engine].restart()
    expect(await timeUntilReady(server.url, 200)).toBeLessThan(5_000)
    await someAnswered(load, 200)
    expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({ name: 'patchbay' })

    const asked = await load.stop()
    expect(asked.slowestMs).toBeLessThan(REQUEST_DEADLINE_MS)
    expect([...asked.statuses.keys()].every((status) => status === 200 || status === 503)).toBe(true)
    expect([...(await health.stop()).statuses.keys()]).toEqual([200])
    expect(server.child.exitCode).toBeNull()
  },
  120_000,
)

deepTest(
  '[S-7] a PostgreSQL that hangs is as visible as one that is gone',
  async () => {
    await using rig = await startUnderLoad()
    const { postgres, server, load, health } = rig
    postgres.pause()
    expect(await timeUntilReady(server.url, 503)).toBeLessThan(2_000)
    // Long enough for what was asked before to be over.
    await sleep(1_000)
    postgres.resume()
    expect(await timeUntilReady(server.url, 200)).toBeLessThan(5_000)
    expect((await load.stop()).slowestMs).toBeLessThan(REQUEST_DEADLINE_MS)
    expect([...(await health.stop()).statuses.keys()]).toEqual([200])
    expect(server.child.exitCode).toBeNull()
  },
  120_000,
)
