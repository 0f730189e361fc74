import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { type Face, spawnGateway } from './start.ts'

const FLOWS_AT_ONCE = 6

/** Connects, registers, calls back, disconnects, without pause, and counts what people and clients were told. */
function startLoad(nodes: readonly Face[]) {
  const told = new Map<string, number>()
  const note = (what: string) => told.set(what, (told.get(what) ?? 0) + 1)
  let wrong = 0
  const stopping = new AbortController()
  const lanes = Array.from({ length: FLOWS_AT_ONCE }, async (_, lane) => {
    for (let turn = lane; !stopping.signal.aborted; turn += 1) {
      const [home, door] = [nodes[turn % nodes.length], nodes[(turn + lane) % nodes.length]]
      if (home === undefined || door === undefined) return
      await using client = await home.connect()
      const state = randomUUID()
      const answer = await client.register(state)
      note(answer.type === 'error' ? `register: ${answer.reason}` : 'register: ok')
      const code = randomUUID()
      const outcome = await door.callback({ code, state })
      note(`callback: ${outcome}`)
      if (outcome === 'done') {
        const message = await client.next()
        if (message.type !== 'callback' || message.code !== code) wrong += 1
      }
      await sleep(5)
    }
  })
  return {
    told,
    async stop() {
      stopping.abort()
      await Promise.all(lanes)
      return { told, wrong }
    },
  }
}

test('[B-54] Redis is killed under load and comes back', async () => {
  await using redis = await startRedis()
  const start = () =>
    spawnGateway({ REDIS_URL: redis.url, PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '100000' })
  const started = await Promise.all([start(), start()])
  await using first = started[0]
  await using second = started[1]
  const nodes = [first, second]
  await using bystander = await first.connect()
  const waiting = randomUUID()
  await bystander.register(waiting)
  const load = startLoad(nodes)
  const health: number[] = []
  const watch = setInterval(() => {
    for (const node of nodes)
      void node.ask('/health').then(
        ({ status }) => health.push(status),
        () => health.push(0),
      )
  }, 50)
  await waitUntil('flows pass', () => (load.told.get('callback: done') ?? 0) > 50, { deadlineMs: 20_000 })

  await redis.kill()
  await waitUntil('registers fail', () => (load.told.get('register: unavailable') ?? 0) > 20, {
    deadlineMs: 20_000,
  })
  await waitUntil('callbacks fail', () => (load.told.get('callback: gateway-unavailable') ?? 0) > 5, {
    deadlineMs: 20_000,
  })
  expect((await first.ask('/ready')).status).toBe(503)
  expect(bystander.socket.readyState).toBe(bystander.socket.OPEN)
  const before = load.told.get('callback: done') ?? 0

  await redis.restart()
  await waitUntil('ready again', async () => {
    const answers = await Promise.all(nodes.map((node) => node.ask('/ready')))
    return answers.every(({ status }) => status === 200)
  })
  await waitUntil('flows pass again', () => (load.told.get('callback: done') ?? 0) > before + 50, {
    deadlineMs: 20_000,
  })
  clearInterval(watch)
  const { told, wrong } = await load.stop()
  expect(wrong).toBe(0)
  expect([...told.keys()].filter((key) => !EXPECTED.has(key))).toEqual([])
  // One of each lane at most, when Redis died and when it came back.
  expect(told.get('callback: client-silent') ?? 0).toBeLessThanOrEqual(2 * FLOWS_AT_ONCE)
  expect([...new Set(health)]).toEqual([200])
  // Redis has forgotten everything; the node that holds the socket has not.
  expect(await second.callback({ code: 'abc', state: waiting })).toBe('done')
  expect(await bystander.next()).toMatchObject({ type: 'callback', code: 'abc' })
  await waitUntil('nothing is pending', async () => (await first.status()).pending === 0)
  for (const node of nodes) expect(node.child.exitCode).toBeNull()
}, 90_000)

const EXPECTED = new Set([
  'register: ok',
  'register: unavailable',
  'callback: done',
  'callback: gateway-unavailable',
  // A register that was refused leaves nothing to deliver; one that was lost with Redis may be told as gone.
  'callback: unknown-state',
  'callback: client-gone',
  // A message that was on its way when Redis died, or its answer, is heard by nobody.
  'callback: client-silent',
])
