import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Directory } from '../../src/bus/index.ts'
import { LIFETIMES, type OpenSession, twoNodes, unique } from './rig.ts'

/** The first fault in the order of two commands shows within a hundred; the rule names the whole count. */
const RACES = depth({ common: 500, deep: 10_000 })
const SEAL = 'seal'

export function directoryContract(open: OpenSession): void {
  test('[K-501] of a thousand claims on one key by two nodes, one wins', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    const claims = Array.from({ length: 1_000 }, (_, index) =>
      (index % 2 === 0 ? a : b).claim(key, `e${index}`),
    )
    const answers = await Promise.all(claims)
    expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1)
  })

  test('[K-502] a claim repeated with its own epoch is still claimed, and ends when it would have', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    expect(await a.claim(key, 'e1')).toBe('claimed')
    session.clock.advance(599_000)
    expect(await a.claim(key, 'e1')).toBe('claimed')
    expect(await a.claim(key, 'e2')).toBe('taken')
    expect(await b.claim(key, 'e1')).toBe('taken')
    session.clock.advance(2_000)
    expect(await b.find(key)).toBeUndefined()
    expect(await b.claim(key, 'e2')).toBe('claimed')
  })

  test('[K-504] a claim of 600 s is delivered to after 599 s and not after 601 s', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    a.onDelivery((epoch) => epoch)
    const [early, late] = [unique('early'), unique('late')]
    await a.claim(early, 'e')
    await a.claim(late, 'e')
    session.clock.advance(599_000)
    expect(await b.deliver(early, '', 5_000)).toEqual({ outcome: 'answered', reply: 'e' })
    session.clock.advance(2_000)
    expect(await b.deliver(late, '', 5_000)).toEqual({ outcome: 'absent' })
  })

  test('[K-505] a key that was delivered to cannot be claimed until its tombstone ends', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    a.onDelivery(() => '')
    const key = unique('key')
    await a.claim(key, 'e1')
    await b.deliver(key, '', 5_000)
    session.clock.advance(119_000)
    expect(await b.claim(key, 'e2')).toBe('taken')
    expect(await a.claim(key, 'e1')).toBe('taken')
    expect(await a.deliver(key, '', 5_000)).toEqual({ outcome: 'absent' })
    session.clock.advance(2_000)
    expect(await b.claim(key, 'e2')).toBe('claimed')
  })

  test.for(['released', 'expired'] as const)('[K-505] a key that was %s is free', async (fate) => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1')
    if (fate === 'released') await a.release(key, 'e1')
    else session.clock.advance(600_000)
    expect(await b.claim(key, 'e2')).toBe('claimed')
    expect(await a.release(key, 'e1')).toBe(false)
    expect(await a.claim(key, 'e1')).toBe('taken')
  })

  test('[K-505] one that was released with its seal is free when the claim would have ended', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1', SEAL)
    session.clock.advance(300_000)
    await a.release(key, 'e1')
    session.clock.advance(299_999)
    expect(await b.claim(key, 'e2')).toBe('taken')
    expect(await a.claim(key, 'e1', SEAL)).toBe('taken')
    session.clock.advance(1)
    expect(await b.claim(key, 'e2')).toBe('claimed')
  })

  test('[K-506] only the node and epoch that claimed a key can release it, once', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1')
    expect(await a.release(key, 'e2')).toBe(false)
    expect(await b.release(key, 'e1')).toBe(false)
    expect(await a.release(key, 'e1')).toBe(true)
    expect(await a.release(key, 'e1')).toBe(false)
    expect(await b.find(key)).toBeUndefined()
  })

  test('[K-507] directories of different names share no keys, and one name has one pair of lifetimes', async () => {
    await using session = await open()
    const bus = await session.connect()
    const [name, key] = [unique('directory'), unique('key')]
    expect(await bus.directory(name, LIFETIMES).claim(key, 'e')).toBe('claimed')
    expect(await bus.directory(unique('directory'), LIFETIMES).claim(key, 'e')).toBe('claimed')
    expect(await bus.directory(name, LIFETIMES).claim(key, 'f')).toBe('taken')
    expect(() => bus.directory(name, { ...LIFETIMES, ttlMs: 1 })).toThrow(TypeError)
    expect(() => bus.directory('a b', LIFETIMES)).toThrow(TypeError)
    for (const epoch of ['', 'two words', 'a:b', 'x'.repeat(65)])
      await expect(bus.directory(name, LIFETIMES).claim(key, epoch)).rejects.toThrow(TypeError)
    expect(() => bus.directory(unique('directory'), { ttlMs: 0, tombstoneMs: 1 })).toThrow(RangeError)
  })

  test(`[K-509] ${RACES} random races of two nodes have no double winner`, { timeout: 60_000 }, async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    for (const directory of [a, b]) directory.onDelivery(() => '')
    const seed = Math.floor(Math.random() * 2 ** 31)
    const races = fc.sample(race, { seed, numRuns: RACES })
    const run = unique('race')
    let decided = 0
    for (let start = 0; start < races.length; start += 250) {
      const batch = races.slice(start, start + 250)
      const faults = await Promise.all(
        batch.map((plan, index) => runRace(a, b, `${run}-${start + index}`, plan)),
      )
      expect({ seed, faults: faults.filter((fault) => fault !== undefined) }).toEqual({ seed, faults: [] })
      decided += batch.length
    }
    expect(decided).toBe(RACES)
  })
}

interface Step {
  readonly by: 'a' | 'b'
  readonly act: 'claim' | 'deliver' | 'release'
  /** How many turns of the event loop the step waits: random interleavings. */
  readonly delay: number
}

const step: fc.Arbitrary<Step> = fc.record({
  by: fc.constantFrom('a', 'b'),
  act: fc.constantFrom('claim', 'claim', 'deliver', 'deliver', 'release'),
  delay: fc.nat(3),
})
/** Each race begins with a claim by each node, or it would often have no winner at all. */
const race = fc.array(step, { minLength: 2, maxLength: 4 })

/** What went wrong, if anything did. */
async function runRace(
  a: Directory,
  b: Directory,
  key: string,
  plan: readonly Step[],
): Promise<string | undefined> {
  const claims: Step[] = [
    { by: 'a', act: 'claim', delay: 0 },
    { by: 'b', act: 'claim', delay: 0 },
  ]
  const results = await Promise.all(
    [...claims, ...plan].map((entry) => runStep(entry, entry.by === 'a' ? a : b, key)),
  )
  const claimedBy = new Set(results.filter(({ act, won }) => act === 'claim' && won).map(({ by }) => by))
  const ends = results.filter(({ act, won }) => act !== 'claim' && won)
  if (claimedBy.size !== 1) return `${key}: claimed by ${[...claimedBy].join(' and ')}`
  if (ends.length > 1) return `${key}: given away ${ends.length} times`
  const isHeld = (await a.find(key)) !== undefined
  if (isHeld && ends.length > 0) return `${key}: held after it was given away`
  return undefined
}

async function runStep({ by, act, delay }: Step, directory: Directory, key: string) {
  for (let turn = 0; turn < delay; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  if (act === 'claim') return { by, act, won: (await directory.claim(key, by, SEAL)) === 'claimed' }
  if (act === 'deliver')
    return { by, act, won: (await directory.deliver(key, '', 20_000)).outcome !== 'absent' }
  return { by, act, won: await directory.release(key, by) }
}
