import { SettableClock } from '@patchbay/testkit/clock'
import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bus, createInProcessHub, createRedisBus } from '../../src/bus/index.ts'
import { unique } from './rig.ts'

const LIFETIMES = { ttlMs: 600_000, tombstoneMs: 120_000 }

describe('both implementations, given the same calls at the same times', () => {
  let redis: RunningRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  test('[K-510] answer every directory call alike', async () => {
    await using pair = await connectBoth(redis.url)
    const call = fc.record({
      act: fc.constantFrom('claim', 'claim', 'take', 'release', 'wait'),
      by: fc.nat(1),
      key: fc.constantFrom('k1', 'k2'),
      epoch: fc.constantFrom('e1', 'e2'),
      waitMs: fc.constantFrom(1, 119_999, 120_000, 300_000, 599_999, 600_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (calls) => {
        const run = unique('run')
        const directories = pair.buses.map((pairOf) => pairOf.map((bus) => bus.directory('d', LIFETIMES)))
        for (const { act, by, key, epoch, waitMs } of calls) {
          if (act === 'wait') pair.clock.advance(waitMs)
          const answers = await Promise.all(
            directories.map(async (nodes) => {
              const directory = nodes[by]
              if (act === 'claim') return directory?.claim(`${run} ${key}`, epoch)
              if (act === 'take') return directory?.take(`${run} ${key}`)
              return act === 'release' ? directory?.release(`${run} ${key}`, epoch) : undefined
            }),
          )
          expect(answers[1]).toEqual(answers[0])
        }
      }),
      { numRuns: 100 },
    )
  })

  test('[K-544] give every hit the same verdict', async () => {
    await using pair = await connectBoth(redis.url)
    const rule = fc.record({
      max: fc.integer({ min: 1, max: 12 }),
      windowMs: fc.integer({ min: 1, max: 90_000 }),
    })
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(200), fc.nat(30_000)), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(rule, pauses, async (limit, waits) => {
        const key = unique('key')
        for (const [index, wait] of waits.entries()) {
          pair.clock.advance(wait)
          const [mine, theirs] = await Promise.all(
            pair.buses.map(async (nodes) => nodes[index % 2]?.rateLimit.hit(key, limit)),
          )
          expect(theirs).toEqual(mine)
        }
      }),
      { numRuns: 100 },
    )
  })
})

interface Pair extends AsyncDisposable {
  readonly clock: SettableClock
  /** The two nodes of each implementation, which have the same names. */
  readonly buses: readonly (readonly Bus[])[]
}

async function connectBoth(url: string): Promise<Pair> {
  const clock = new SettableClock()
  const hub = createInProcessHub({ clock })
  const names = [unique('node'), unique('node')]
  const opened = new AsyncDisposableStack()
  const local = names.map((node) => opened.use(hub.connect(node)))
  const remote = await Promise.all(
    names.map(async (node) => opened.use(await createRedisBus({ url, node, clock }))),
  )
  return { clock, buses: [local, remote], [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
