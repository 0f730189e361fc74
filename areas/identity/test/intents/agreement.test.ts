import { createInProcessHub } from '@patchbay/kernel/bus'
import { SettableClock } from '@patchbay/testkit/clock'
import { depth } from '@patchbay/testkit/depth'
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
} from 'fast-check'
import { expect, test } from 'vitest'
import type { Browser } from '../browser.ts'
import { type IdentityNode, migratedDatabase, startIdentityNode } from '../start.ts'
import { openIntent, poll } from './intents.ts'
import { type OpenStream, openStream } from './open-stream.ts'

const CALLERS = ['app/1', 'stranger/1'] as const

const RUNS = depth({ common: 6, deep: 300 })

type Step =
  | {
      readonly do: 'poll' | 'stream'
      readonly caller: number
      readonly node: number
      readonly isAwaited: boolean
    }
  | { readonly do: 'approve' | 'decline'; readonly node: number; readonly isAwaited: boolean }
  | { readonly do: 'wait'; readonly seconds: number }

const node = nat({ max: 1 })
const isAwaited = boolean()
const step: Arbitrary<Step> = oneof(
  record({ do: constantFrom('poll', 'stream'), caller: nat({ max: 1 }), node, isAwaited }),
  record({ do: constantFrom('approve', 'approve', 'decline'), node, isAwaited }),
  record({ do: constant('wait'), seconds: constantFrom(1, 400, 899) }),
)

/** What every caller was told, by whichever way. */
class Hearing {
  readonly tokens: Set<string>[] = [new Set(), new Set()]
  readonly streams: { readonly caller: number; readonly stream: OpenStream }[] = []

  note(caller: number, token: string | undefined): void {
    if (token !== undefined) this.tokens[caller]?.add(token)
  }
}

async function play(nodes: readonly IdentityNode[], ada: Browser, steps: readonly Step[]): Promise<void> {
  const [first] = nodes
  if (first === undefined) throw new Error('no node')
  const at = (index: number) => nodes[index] ?? first
  const { token } = await openIntent(first)
  const hearing = new Hearing()
  const headers = (caller: number) => ({ 'user-agent': CALLERS[caller] ?? '' })
  let approvals = 0
  const run = async (each: Step): Promise<void> => {
    switch (each.do) {
      case 'poll': {
        const { session_token } = await poll(at(each.node), token, headers(each.caller))
        return hearing.note(each.caller, session_token)
      }
      case 'stream': {
        const stream = await openStream(at(each.node).url, token, headers(each.caller))
        hearing.streams.push({ caller: each.caller, stream })
        return
      }
      case 'approve':
      case 'decline': {
        const answer = await ada
          .at(at(each.node).url)
          .change('PATCH', `/auth/intents/${token}`, { decision: each.do })
        if (each.do === 'approve' && answer.status === 200) approvals += 1
        return
      }
      case 'wait':
        return first.clock.advance(each.seconds * 1_000)
    }
  }
  const running: Promise<void>[] = []
  for (const each of steps) {
    const ran = run(each)
    running.push(ran)
    if (each.do === 'wait' || each.isAwaited) await ran
  }
  await Promise.all(running)
  // Whatever nobody decided expires now; then every stream has a reason to end.
  first.clock.advance(900_000)
  await Promise.all(hearing.streams.map(({ stream }) => stream.ended))
  for (const { caller, stream } of hearing.streams) {
    for (const { event, data } of stream.events()) {
      if (event === 'authenticated')
        hearing.note(caller, (JSON.parse(data) as { session_token: string }).session_token)
    }
  }
  const heardBefore = hearing.tokens.map((tokens) => tokens.size)
  const last = [await poll(at(0), token, headers(0)), await poll(at(1), token, headers(1))]
  last.forEach(({ session_token }, caller) => hearing.note(caller, session_token))

  expect(approvals).toBeLessThanOrEqual(1)
  const told = hearing.tokens.filter((tokens) => tokens.size > 0)
  // An approval is told to exactly one caller, always as the same token; without one nobody hears anything.
  expect(told.map((tokens) => tokens.size)).toEqual(approvals === 1 ? [1] : [])
  // Who has heard it by one way hears it by the other.
  heardBefore.forEach((count, caller) => {
    expect([0, hearing.tokens[caller]?.size]).toContain(count)
    expect(count === 0 || last[caller]?.state === 'authenticated').toBe(true)
  })
  const events = hearing.streams.flatMap(({ stream }) => stream.events().map(({ event }) => event))
  expect(approvals === 1 ? !events.includes('timeout') : !events.includes('authenticated')).toBe(true)
}

test('[C-46] streams and polls agree, in whatever order things happen', { timeout: 120_000 }, async () => {
  await using database = await migratedDatabase()
  const clock = new SettableClock()
  const hub = createInProcessHub({ clock })
  const start = (name: string) =>
    startIdentityNode({ databaseUrl: database.url, clock, bus: hub.connect(name), node: name })
  await using a = await start('a')
  await using b = await start('b')
  let played = 0
  await assert(
    asyncProperty(array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      // A fresh session each time: the clock only ever goes forward.
      await play([a, b], await a.signedIn(`ada-${played}`), steps)
      played += 1
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(played).toBe(RUNS)
})
