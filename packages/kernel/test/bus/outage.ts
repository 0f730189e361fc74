import { isDeepStrictEqual } from 'node:util'
import { atLatest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import type { Bus } from '../../src/bus/index.ts'
import { redisSession, refusal, unique } from './rig.ts'

export interface Outage {
  strike(): Promise<void> | void
  mend(): Promise<void> | void
  /** Whether only a part of the data is out of reach. */
  readonly partial?: boolean
  /** Whether connections break for certain. Those of a server that hangs may last, and then nothing was missed. */
  readonly breaks: boolean
}

const LIFETIMES = { ttlMs: 600_000, tombstoneMs: 60_000 }
const COMMAND_TIMEOUT_MS = depth({ common: 2_000, deep: 1_000 })
/** The deadline of a call, and what a busy machine adds to it. */
const REFUSED_WITHIN_MS = COMMAND_TIMEOUT_MS + depth({ common: 5_000, deep: 700 })
/** After the engine is back. In the common run others may keep the machine busy. */
export const RECOVERED_WITHIN_MS = atLatest(1_500)
/** The same where another node has to be promoted, or a part of a cluster to come back. */
export const MOVED_WITHIN_MS = atLatest(2_000)

/**
 * Two nodes live through an outage of their engine with the objects they have, and lose nothing they hold.
 * Returns how many milliseconds after `mend` the bus answered again.
 */
export async function surviveOutage(url: string, outage: Outage): Promise<number> {
  await using session = redisSession(url, COMMAND_TIMEOUT_MS)
  const [a, b] = await Promise.all([session.connect(), session.connect()])
  const escaped: unknown[] = []
  const onEscape = (reason: unknown) => escaped.push(reason)
  process.on('unhandledRejection', onEscape)
  using _listening = { [Symbol.dispose]: () => void process.off('unhandledRejection', onEscape) }

  const name = unique('directory')
  const [inA, inB] = [a.directory(name, LIFETIMES), b.directory(name, LIFETIMES)]
  const keys = Array.from({ length: 60 }, () => unique('key'))
  const room = unique('room')
  for (const bus of [a, b]) {
    bus.channel.handle('echo', (message) => message)
    await bus.presence.join(room, 'member', '')
  }
  await Promise.all(keys.map((key) => inA.claim(key, 'e')))
  await inA.release(keys[0] ?? '', 'e')
  const waiters = await Promise.all(Array.from({ length: 40 }, () => a.wakeups.listen(unique('wake'))))

  // Whatever fails below, the next test finds the engine whole.
  let struck = true
  await using _mended = { [Symbol.asyncDispose]: async () => (struck ? outage.mend() : undefined) }
  await outage.strike()
  await expectRefusals(a, b, name, room, outage.partial === true)
  expect(await a.channel.send(a.node, 'echo', 'to myself', 20_000)).toMatchObject({ reply: 'to myself' })

  await outage.mend()
  struck = false
  const mended = performance.now()
  const answers = async () => (await refusal(() => Promise.all([a.ping(), b.ping()]))).code === 'none'
  await waitUntil('the bus answers again', answers, { deadlineMs: 10_000, intervalMs: 10 })
  const recoveredAfterMs = performance.now() - mended

  const held = { node: a.node, epoch: 'e' }
  const still = { deadlineMs: 10_000, intervalMs: 20 }
  for (const key of keys.slice(1)) {
    await waitUntil('the claim is held', async () => isDeepStrictEqual(await inB.find(key), held), still)
  }
  const isComplete = async () => {
    const members = await b.presence.members(room)
    return members.length === 2 && members.every(({ id }) => id === 'member')
  }
  await waitUntil('both members are back, and nobody else', isComplete, still)
  const areAllWoken = outage.breaks && outage.partial !== true
  const woken = await Promise.all(waiters.map((waiter) => waiter.next(areAllWoken ? 20_000 : 2_000)))
  if (outage.breaks) expect(woken.includes(true)).toBe(true)
  if (areAllWoken) expect(woken.includes(false)).toBe(false)
  expect(await a.channel.send(b.node, 'echo', 'there', 20_000)).toMatchObject({ reply: 'there' })
  expect(await b.channel.send(a.node, 'echo', 'and back', 20_000)).toMatchObject({ reply: 'and back' })
  const fresh = unique('wake')
  await using another = await a.wakeups.listen(fresh)
  await b.wakeups.notify(fresh)
  expect(await another.next(20_000)).toBe(true)
  expect(escaped).toEqual([])
  return recoveredAfterMs
}

async function expectRefusals(a: Bus, b: Bus, name: string, room: string, partial: boolean): Promise<void> {
  const directory = a.directory(name, LIFETIMES)
  const calls = [
    () => a.ping(),
    ...Array.from({ length: 30 }, () => () => directory.claim(unique('key'), 'e')),
    () => directory.release(unique('key'), 'e'),
    () => directory.resume(unique('key'), 'e', 'seal'),
    () => directory.suspend(unique('key'), 'e'),
    () => directory.find(unique('key')),
    () => directory.deliver(unique('key'), '', 900),
    () => directory.count(),
    () => a.channel.send(b.node, 'echo', '', 900),
    () => a.wakeups.listen(unique('key')),
    () => a.wakeups.notify(unique('key')),
    () => a.presence.join(room, 'ghost', ''),
    () => a.presence.members(room),
    () => a.rateLimit.hit(unique('key'), { max: 1, windowMs: 1_000 }),
  ]
  const refusals = await Promise.all(calls.map(refusal))
  const codes = new Set(refusals.map(({ code }) => code))
  expect([...codes].toSorted()).toEqual(partial ? ['bus_unavailable', 'none'] : ['bus_unavailable'])
  expect(refusals[0]?.code).toBe('bus_unavailable')
  expect(Math.max(...refusals.map(({ afterMs }) => afterMs))).toBeLessThan(REFUSED_WITHIN_MS)
  if (partial) await a.presence.leave(room, 'ghost').catch(() => undefined)
}
