import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createRedisBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { type Face, spawnGateway, startTestGateway } from './start.ts'

async function startNodes(count: number) {
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis())
  const nodes = await Promise.all(
    Array.from({ length: count }, async () =>
      stack.use(await spawnGateway({ REDIS_URL: redis.url, PATCHBAY_DRAIN_SECONDS: '10' })),
    ),
  )
  const owned = stack.move()
  return { redis, nodes, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[B-50] a callback on any of three processes reaches a socket on any other', async () => {
  await using rig = await startNodes(3)
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

test.each([0, 1_000, 3_000])(
  '[B-51] a node that was killed: %i ms later the person knows within 2 s',
  async (delayMs) => {
    await using rig = await startNodes(2)
    const [killed, other] = rig.nodes
    if (killed === undefined || other === undefined) throw new Error('two nodes')
    await using client = await killed.connect()
    const state = randomUUID()
    await client.register(state)
    await killed.kill('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const begun = performance.now()
    expect(await other.callback({ code: 'abc', state })).toBe('client-gone')
    expect(performance.now() - begun).toBeLessThan(2_000)
    await waitUntil('the dead are not counted', async () => (await other.status()).pending === 0)
  },
)

test('[B-22] a node that hangs with its socket: the person is told after 2 s, and nothing comes later', async () => {
  await using rig = await startNodes(2)
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

test('[B-52] a rolling restart loses no flow whose client resumes', async () => {
  await using rig = await startNodes(2)
  const [leaving, staying] = rig.nodes
  if (leaving === undefined || staying === undefined) throw new Error('two nodes')
  const flows = Array.from({ length: 60 }, () => {
    const state = randomUUID()
    return { state, client: resumingClient([leaving, staying], state) }
  })
  await Promise.all(flows.map(({ client }) => client.registered))
  const stopped = leaving.kill('SIGTERM')
  // People come back from the provider all through the restart, to whichever node still answers.
  const told = await Promise.all(
    flows.map(async ({ state }, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 25))
      const door = index % 2 === 0 ? leaving : staying
      const query = { code: `code-${index}`, state }
      return await door.callback(query).catch(() => staying.callback(query))
    }),
  )
  await stopped
  expect(leaving.output()).toMatch(/"clean":true/)
  expect(told.filter((outcome) => outcome !== 'done')).toEqual([])
  expect(await Promise.all(flows.map(({ client }) => client.code))).toEqual(
    flows.map((_, index) => `code-${index}`),
  )
  // 1006 is this side hanging up with its code in hand.
  const sentAway = flows.flatMap(({ client }) => client.closeCodes).filter((code) => code !== 1006)
  expect(sentAway.length).toBeGreaterThan(10)
  expect([...new Set(sentAway)]).toEqual([1001])
}, 60_000)

test('[B-55] a register that was refused as unavailable can be repeated on the same connection', async () => {
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
