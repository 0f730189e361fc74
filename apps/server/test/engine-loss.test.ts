import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { spawnServer } from './start.ts'

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
  const owned = stack.move()
  return { postgres, redis, server, load, health, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test.each(['postgres', 'redis'] as const)('[S-7] %s is killed under load and comes back', async (engine) => {
  await using rig = await startUnderLoad()
  const { server, load, health } = rig
  await sleep(300)
  await rig[engine].kill()
  expect(await timeUntilReady(server.url, 503)).toBeLessThan(2_000)
  await sleep(1_000)
  await rig[engine].restart()
  expect(await timeUntilReady(server.url, 200)).toBeLessThan(5_000)
  await sleep(300)
  expect(await (await fetch(`${server.url}/api/about`)).json()).toMatchObject({ name: 'patchbay' })

  const asked = await load.stop()
  expect(asked.slowestMs).toBeLessThan(REQUEST_DEADLINE_MS)
  expect([...asked.statuses.keys()].every((status) => status === 200 || status === 503)).toBe(true)
  expect(asked.statuses.get(200)).toBeGreaterThan(20)
  expect([...(await health.stop()).statuses.keys()]).toEqual([200])
  expect(server.child.exitCode).toBeNull()
})

test('[S-7] a PostgreSQL that hangs is as visible as one that is gone', async () => {
  await using rig = await startUnderLoad()
  const { postgres, server, load, health } = rig
  await sleep(300)
  postgres.pause()
  expect(await timeUntilReady(server.url, 503)).toBeLessThan(2_000)
  await sleep(1_000)
  postgres.resume()
  expect(await timeUntilReady(server.url, 200)).toBeLessThan(5_000)
  expect((await load.stop()).slowestMs).toBeLessThan(REQUEST_DEADLINE_MS)
  expect([...(await health.stop()).statuses.keys()]).toEqual([200])
  expect(server.child.exitCode).toBeNull()
})
