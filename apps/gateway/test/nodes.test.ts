import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createRedisBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { type Face, spawnGateway, startTestGateway } from './start.ts'

/** Nodes on one Redis, started side by side by `start`. */
async function startNodes<Node extends AsyncDisposable>(
  count: number,
  start: (environment: Record<string, string>) => Promise<Node>,
) {
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis())
  const environment = { REDIS_URL: redis.url, PATCHBAY_DRAIN_SECONDS: '10' }
  const nodes = await Promise.all(
    Array.from({ length: count }, async () => stack.use(await start(environment))),
  )
  const owned = stack.move()
  return { redis, nodes, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** For what only a process can do: die, and hang. */
const startProcesses = (count: number) => startNodes(count, spawnGateway)
const startInProcess = (count: number) =>
  startNodes(count, (environment) => startTestGateway({ environment }))

test('[B-50] a callback on any of three nodes reaches a socket on any other', async () => {
  await using rig = await startInProcess(3)
  for (const home of rig.nodes) {
    await using client = await home.connect()
    for (const door of rig.nodes) {
      const state = randomUUID()
      await client.register(state)
      expect(await door.callback({ code: state.slice(0, 8), state })).toBe('done')
      expect(await client.next()).toMatchObject({ type: 'callback', state, code: state.slice(0, 8) })
    }
  }
  await waitUntil('nothing is pending', async () => {
    const all = await Promise.all(rig.nodes.map((node) => node.status()))
    return all.every(({ pending }) => pending === 0)
  })
})

/** What the person is told, and after how long. */
async function askAfterKill(delayMs: number) {
  await using rig = await startProcesses(2)
  const [killed, other] = rig.nodes
  if (killed === undefined || other === undefined) throw new Error('two nodes')
  await using client = await killed.connect()
  const state = randomUUID()
  await client.register(state)
  await killed.kill('SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  const begun = performance.now()
  const outcome = await other.callback({ code: 'abc', state })
  const waitedMs = performance.now() - begun
  await waitUntil('the dead are not counted', async () => (await other.status()).pending === 0)
  return { outcome, waitedMs }
}

test('[B-51] a node that was killed: the person is told that the application is gone', async () => {
  // One that was only slow would be told as `client-silent`, after 2 s.
  expect((await askAfterKill(0)).outcome).toBe('client-gone')
})

deepTest.each([0, 1_000, 3_000])(
  '[B-51] a node that was killed: %i ms later the person knows within 2 s',
  async (delayMs) => {
    const { outcome, waitedMs } = await askAfterKill(delayMs)
    expect(outcome).toBe('client-gone')
    expect(waitedMs).toBeLessThan(2_000)
  },
)

deepTest('[B-22] a node that hangs with its socket: the person is told after 2 s', async () => {
  await using rig = await startProcesses(2)
  const [hung, other] = rig.nodes
  if (hung === undefined || other === undefined) throw new Error('two nodes')
  await using client = await hung.connect()
  const state = randomUUID()
  await client.register(state)
  hung.child.kill('SIGSTOP')
  try {
    const begun = performance.now()
    expect(await other.callback({ code: 'abc', state })).toMatch(/^client-(silent|gone)$/)
    expect(performance.now() - begun).toBeLessThan(3_500)
  } finally {
    hung.child.kill('SIGCONT')
  }
})

const MOST_ATTEMPTS = 200

/** A client that comes back as the rules of resuming have it, to whichever node accepts it, until it has its code. */
function resumingClient(nodes: readonly Face[], state: string) {
  const resumeVerifier = randomBytes(32).toString('base64url')
  const resumeChallenge = createHash('sha256').update(resumeVerifier).digest('base64url')
  const registered = Promise.withResolvers<void>()
  const closeCodes: number[] = []

  const codeFrom = async (node: Face | undefined, proof: object): Promise<string | undefined> => {
    const client = await node?.connect().catch(() => undefined)
    if (client === undefined) return undefined
    await using _open = client
    const ended = client.closed.then(({ code }) => void closeCodes.push(code))
    const answer = await Promise.race([client.register(state, proof), ended])
    if (answer?.type !== 'registered') return undefined
    registered.resolve()
    const message = await Promise.race([client.next(), ended])
    return message?.type === 'callback' ? message.code : undefined
  }
  const run = async (): Promise<string> => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const proof = attempt === 0 ? { resumeChallenge } : { resumeVerifier }
      const code = await codeFrom(nodes[attempt % nodes.length], proof)
      if (code !== undefined) return code
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('no code came')
  }
  return { registered: registered.promise, code: run(), closeCodes }
}

const FLOWS = depth({ common: 30, deep: 60 })

test('[B-52] a rolling restart loses no flow whose client resumes', async () => {
  await using rig = await startInProcess(2)
  const [leaving, staying] = rig.nodes
  if (leaving === undefined || staying === undefined) throw new Error('two nodes')
  const flows = Array.from({ length: FLOWS }, () => {
    const state = randomUUID()
    return { state, client: resumingClient([leaving, staying], state) }
  })
  await Promise.all(flows.map(({ client }) => client.registered))
  const stopped = leaving.drain()
  // People come back from the provider all through the restart, to whichever node still answers.
  const told = await Promise.all(
    flows.map(async ({ state }, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 25))
      const door = index % 2 === 0 ? leaving : staying
      const query = { code: `code-${index}`, state }
      return await door.callback(query).catch(() => staying.callback(query))
    }),
  )
  expect(await stopped).toBe(true)
  expect(told.filter((outcome) => outcome !== 'done')).toEqual([])
  expect(await Promise.all(flows.map(({ client }) => client.code))).toEqual(
    flows.map((_, index) => `code-${index}`),
  )
  // 1006 is this side hanging up with its code in hand.
  const sentAway = flows.flatMap(({ client }) => client.closeCodes).filter((code) => code !== 1006)
  expect(sentAway.length).toBeGreaterThan(FLOWS / 6)
  expect([...new Set(sentAway)]).toEqual([1001])
}, 60_000)

// These two wait: for a deadline, and for what was announced.
test.concurrent('[B-55] a register that was refused as unavailable can be repeated on the same connection', async () => {
  await using redis = await startRedis()
  const bus = await createRedisBus({ url: redis.url, node: 'only', clock: systemClock })
  await using gateway = await startTestGateway({ bus })
  await using client = await gateway.connect()
  const state = randomUUID()
  // The command is taken and carried out, but its answer comes too late: the worst of both.
  redis.pause()
  expect(await client.register(state)).toMatchObject({ type: 'error', state, reason: 'unavailable' })
  redis.resume()
  await waitUntil('the gateway is ready', async () => (await gateway.ask('/ready')).status === 200)
  expect(await client.register(state)).toMatchObject({ type: 'registered', state })
  expect(await gateway.callback({ code: 'abc', state })).toBe('done')
  expect(await client.next()).toMatchObject({ type: 'callback', code: 'abc' })
})

test.concurrent('[K-852] O1: a gateway says that it stops before it refuses sockets', async () => {
  await using gateway = await startTestGateway({ environment: { PATCHBAY_DRAIN_ANNOUNCE_SECONDS: '3' } })
  const stopped = gateway.drain()
  expect((await gateway.ask('/ready')).status).toBe(503)
  const client = await gateway.connect()
  expect((await gateway.status()).sockets).toBe(1)
  const refusal = async () =>
    await gateway.connect().then(
      () => 'taken',
      () => 'refused',
    )
  await waitUntil('sockets are refused', async () => (await refusal()) === 'refused')
  expect(await stopped).toBe(true)
  expect((await client.closed).code).toBe(1001)
})
