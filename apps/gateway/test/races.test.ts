import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayMessage } from '@patchbay/contracts/gateway'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import type { TestClient } from './client.ts'
import { type Face, spawnGateway } from './start.ts'

const RACES = depth({ common: 150, deep: 10_000 })
/** Must happen for the zeros to mean something. On a busy machine more callbacks come before their owners: it races on then. */
const ENOUGH = RACES / 4
const MOST_RACES = RACES * 4
const LANES = 32

interface Race {
  readonly state: string
  /** Every connection that was ever told `registered` for this state. */
  readonly holders: Set<TestClient>
  readonly sent: Set<string>
  readonly delivered: string[]
  misdelivered: number
  done: number
}

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
const chance = (probability: number) => Math.random() < probability

/**
 * One state, fought over: its owner registers and may unregister, drop the line or resume elsewhere, strangers try to
 * register it as well, and two callbacks arrive, all at random moments on random nodes.
 */
async function runRace(nodes: readonly Face[]): Promise<Race> {
  const race: Race = {
    state: randomUUID(),
    holders: new Set(),
    sent: new Set(),
    delivered: [],
    misdelivered: 0,
    done: 0,
  }
  const { state } = race
  const clients: TestClient[] = []
  const resumeVerifier = randomBytes(32).toString('base64url')
  const resumeChallenge = createHash('sha256').update(resumeVerifier).digest('base64url')

  const join = async (more: object): Promise<TestClient> => {
    const client = await pick(nodes).connect()
    clients.push(client)
    client.socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as GatewayMessage
      if (message.type === 'registered') race.holders.add(client)
      if (message.type !== 'callback') return
      race.delivered.push(message.code)
      const isOwn = message.state === state && race.holders.has(client) && race.sent.has(message.code)
      if (!isOwn) race.misdelivered += 1
    })
    client.send({ type: 'register', state, provider: 'example', ...more })
    return client
  }
  const pause = () => sleep(Math.random() * 12)

  const resumable = chance(0.5)
  const owner = async () => {
    const client = await join(resumable ? { resumeChallenge } : {})
    await pause()
    if (chance(0.3)) client.send({ type: 'unregister', state })
    if (chance(0.3)) client.socket.terminate()
    if (!resumable || !chance(0.6)) return
    await pause()
    await join({ resumeVerifier })
  }
  const stranger = async () => {
    await pause()
    const client = await join(chance(0.5) ? {} : { resumeVerifier: randomBytes(32).toString('base64url') })
    await pause()
    if (chance(0.5)) client.send({ type: 'unregister', state })
  }
  const person = async () => {
    await pause()
    const code = randomUUID()
    race.sent.add(code)
    if ((await pick(nodes).callback({ code, state })) === 'done') race.done += 1
  }
  await Promise.all([owner(), chance(0.4) ? stranger() : undefined, person(), person()])
  await sleep(5)
  for (const client of clients) client.socket.terminate()
  await Promise.all(clients.map(({ closed }) => closed))
  return race
}

test(`[B-53] ${RACES} races over three nodes and a real Redis`, async () => {
  await using redis = await startRedis()
  const generous = {
    REDIS_URL: redis.url,
    PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '1000',
    PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS: '100000',
  }
  const start = () => spawnGateway(generous)
  await using stack = new AsyncDisposableStack()
  const nodes = await Promise.all(Array.from({ length: 3 }, async () => stack.use(await start())))
  const sum = { misdelivered: 0, twice: 0, delivered: 0, done: 0 }
  let begun = 0
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (begun < RACES || (Math.min(sum.delivered, sum.done) <= ENOUGH && begun < MOST_RACES)) {
        begun += 1
        const race = await runRace(nodes)
        sum.misdelivered += race.misdelivered
        sum.delivered += race.delivered.length
        sum.done += race.done
        if (race.delivered.length > 1) sum.twice += 1
        if (race.done > 1) sum.twice += 1
      }
    }),
  )
  expect({ misdelivered: sum.misdelivered, twice: sum.twice }).toEqual({ misdelivered: 0, twice: 0 })
  expect(sum.delivered).toBeGreaterThan(ENOUGH)
  expect(sum.done).toBeGreaterThan(ENOUGH)
  await waitUntil('the pending count is 0 everywhere', async () => {
    const all = await Promise.all(nodes.map((node) => node.status()))
    return all.every(
      ({ pending, pendingHere, sockets }) => pending === 0 && pendingHere === 0 && sockets === 0,
    )
  })
}, 240_000)
