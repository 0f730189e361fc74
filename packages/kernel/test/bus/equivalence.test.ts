import { SettableClock } from '@patchbay/testkit/clock'
import { type RunningRedis, startRedis } from '@patchbay/testkit/redis'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bus, createInProcessHub, createRedisBus, type Directory } from '../../src/bus/index.ts'
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
      act: fc.constantFrom(...ACTS),
      by: fc.nat(1),
      key: fc.constantFrom('k1', 'k2'),
      epoch: fc.constantFrom('e1', 'e2'),
      seal: fc.constantFrom('s1', 's1', 's2'),
      waitMs: fc.constantFrom(1, 119_999, 120_000, 300_000, 599_999, 600_000),
    })
    const directories = pair.buses.map((nodes) =>
      nodes.map((bus) => {
        const directory = bus.directory('d', LIFETIMES)
        directory.onDelivery((epoch, message) => `${bus.node} ${epoch} ${message}`)
        return directory
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 25, size: 'max' }), async (calls) => {
        const run = unique('run')
        for (const { act, by, key, epoch, seal, waitMs } of calls) {
          if (act === 'wait') pair.clock.advance(waitMs)
          const answers = await Promise.all(
            directories.map((nodes) => perform(act, nodes[by], `${run} ${key}`, epoch, seal)),
          )
          expect(answers[1]).toEqual(answers[0])
        }
      }),
      { numRuns: 300 },
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

const ACTS = ['claim', 'seal', 'resume', 'suspend', 'find', 'deliver', 'release', 'wait'] as const

async function perform(
  act: (typeof ACTS)[number],
  directory: Directory | undefined,
  key: string,
  epoch: string,
  seal: string,
): Promise<unknown> {
  if (act === 'claim') return directory?.claim(key, epoch)
  if (act === 'seal') return directory?.claim(key, epoch, seal)
  if (act === 'resume') return directory?.resume(key, epoch, seal)
  if (act === 'deliver') return directory?.deliver(key, seal, 10_000)
  if (act === 'find') return directory?.find(key)
  if (act === 'release' || act === 'suspend') return directory?.[act](key, epoch)
  return undefined
}

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
