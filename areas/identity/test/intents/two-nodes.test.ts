import { createRedisBus } from '@patchbay/kernel/bus'
import { createLog } from '@patchbay/kernel/log'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test, vi } from 'vitest'
import { migratedDatabase, startIdentityNode } from '../start.ts'
import { openIntent, poll } from './intents.ts'
import { openStream } from './open-stream.ts'

const log = createLog({ level: 'silent', process: 'server' })

/** Two nodes on one database and one Redis. */
async function startPair() {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await migratedDatabase())
  const redis = cleanup.use(await startRedis())
  const clock = new SettableClock()
  const start = async (node: string) => {
    const bus = cleanup.use(await createRedisBus({ url: redis.url, node, clock, log }))
    return cleanup.use(await startIdentityNode({ databaseUrl: database.url, clock, bus, node }))
  }
  const [a, b] = [await start('a'), await start('b')]
  const owned = cleanup.move()
  return { a, b, clock, redis, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[C-6] of 100 approvals at once, by two people on two nodes, one succeeds', async () => {
  await using pair = await startPair()
  const people = [await pair.a.signedIn('ada'), await pair.b.signedIn('bob')]
  const rounds = depth({ common: 1, deep: 5 })
  for (let round = 0; round < rounds; round += 1) {
    const { token } = await openIntent(pair.a)
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const person = people[index % 2]?.at((index % 4 < 2 ? pair.a : pair.b).url)
        const answer = await person?.change('PATCH', `/auth/intents/${token}`)
        return { status: answer?.status, handle: person?.handle }
      }),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99)
    const { session_token } = await poll(pair.b, token)
    const whoami = await pair.a.ask('/auth/whoami', { headers: { authorization: `Bearer ${session_token}` } })
    expect(await whoami.json()).toMatchObject({ person: { handle: winners[0]?.handle } })
  }
  const sessions = await pair.a.db
    .selectFrom('sessions')
    .select('id')
    .where('kind', '=', 'application')
    .execute()
  expect(sessions).toHaveLength(rounds)
})

deepTest('[C-6] an approval and a decline at once: one of them happened', async () => {
  await using pair = await startPair()
  const ada = await pair.a.signedIn('ada')
  const outcomes = new Set<string>()
  for (let round = 0; round < depth({ common: 10, deep: 100 }); round += 1) {
    const { token } = await openIntent(pair.a)
    const [approved, declined] = await Promise.all([
      ada.change('PATCH', `/auth/intents/${token}`),
      ada.at(pair.b.url).change('PATCH', `/auth/intents/${token}`, { decision: 'decline' }),
    ])
    const { state, code } = await poll(pair.b, token)
    outcomes.add([approved.status, declined.status, state ?? code].join(' '))
  }
  const possible = new Set(['200 409 authenticated', '410 200 intent_declined'])
  expect([...outcomes].filter((outcome) => !possible.has(outcome))).toEqual([])
})

/** Sweeps come when a test says so: what it hears before came through the bus. */
function holdSweeps(): Disposable & { sweep(): void } {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  return { sweep: () => void vi.advanceTimersByTime(2_000), [Symbol.dispose]: () => void vi.useRealTimers() }
}

test('[C-42] an approval on one node reaches the stream on the other, and no approval is lost to polls', async () => {
  using _sweeps = holdSweeps()
  await using pair = await startPair()
  const ada = await pair.a.signedIn('ada')
  for (let round = 0; round < depth({ common: 4, deep: 30 }); round += 1) {
    const { token } = await openIntent(pair.a)
    const stream = await openStream(pair.b.url, token)
    const polls = Array.from({ length: 20 }, (_, index) => poll(index % 2 === 0 ? pair.a : pair.b, token))
    expect((await ada.change('PATCH', `/auth/intents/${token}`)).status).toBe(200)
    await stream.ended
    // The stream sends another user agent than the polls: whoever was first has it, and one of them has.
    const told = [
      ...stream.events().map(({ event }) => event),
      ...(await Promise.all(polls)).map(({ state }) => state),
      (await poll(pair.b, token)).state,
    ]
    expect(told).toContain('authenticated')
  }
})

deepTest('[C-42] a wake-up that is lost costs one sweep', async () => {
  using sweeps = holdSweeps()
  await using pair = await startPair()
  const ada = await pair.a.signedIn('ada')
  const { token } = await openIntent(pair.a)
  const stream = await openStream(pair.b.url, token)
  // As if the message had been lost on its way: the row changes and nobody is told.
  const { approve } = await import('../../src/intents/decision.store.ts')
  const unheard = { ...pair.a.deps.wakeups, notify: async () => {} }
  await approve({ ...pair.a.deps, wakeups: unheard }, token, ada)
  sweeps.sweep()
  await stream.ended
  expect(stream.events()).toMatchObject([{ event: 'authenticated' }])
})

test('[C-43] with Redis gone, streams open and end all the same', async () => {
  await using pair = await startPair()
  const ada = await pair.a.signedIn('ada')
  const before = await openIntent(pair.a)
  const first = await openStream(pair.b.url, before.token)
  await pair.redis.kill()
  const after = await openIntent(pair.a)
  const second = await openStream(pair.b.url, after.token)
  for (const { token } of [before, after]) {
    expect((await ada.change('PATCH', `/auth/intents/${token}`)).status).toBe(200)
  }
  await Promise.all([first.ended, second.ended])
  for (const stream of [first, second]) expect(stream.events()).toMatchObject([{ event: 'authenticated' }])
})
