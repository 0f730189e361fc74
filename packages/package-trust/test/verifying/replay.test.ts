import { depth } from '@patchbay/testkit/depth'
import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type TrustedIndex, TrustFailure } from '../../src/verifying/index.ts'
import type { Release } from '../signed-registry.ts'
import { createTrial, type Trial } from '../trial.ts'

const PATHS = ['a', 'b', 'c']
const ROLES = ['timestamp', 'snapshot', 'targets', 'root']

const RUNS = depth({ common: 6, deep: 250 })

/** Looking often, and replaying what is a little old, is what finds a hole. */
const age = integer({ min: 1, max: 4 })
const look = constantFrom('refresh' as const, 'restart' as const)
const step = oneof(
  { weight: 3, arbitrary: record({ kind: constantFrom('publish' as const), path: constantFrom(...PATHS) }) },
  { weight: 1, arbitrary: record({ kind: constantFrom('rotate' as const) }) },
  { weight: 4, arbitrary: record({ kind: look }) },
  {
    weight: 2,
    arbitrary: record({ kind: constantFrom('replay' as const), role: constantFrom(...ROLES), age }),
  },
  { weight: 2, arbitrary: record({ kind: constantFrom('replay all' as const), age }) },
)

/** The server is online requests for a role, whatever the version, with what that role once was. */
function replay({ server, registry }: Trial, role: string, release: Release | undefined): void {
  const old = release?.get(role)
  if (old === undefined) return
  server.replace(registry.file(role).name, old.bytes)
  server.replace(old.name, old.bytes)
}

/** What the client believes about a file now, or `undefined` if it refuses to say. */
async function observe(client: TrustedIndex, path: string): Promise<number | undefined> {
  try {
    await client.refresh()
    return (await client.find(path))?.length ?? 0
  } catch (error) {
    if (error instanceof TrustFailure) return undefined
    throw error
  }
}

test(
  '[A-278] whatever is replayed in whatever order, no client goes back to an older version of a file',
  async () => {
    let accepted = 0
    let refused = 0
    const property = asyncProperty(array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      await using trial = await createTrial({ bits: 1 })
      const { registry, server } = trial
      const history: Release[] = [registry.state]
      const published = new Map<string, number>()
      const seen = new Map<string, number>()
      const mistakes: object[] = []
      let client = trial.client()
      for (const each of [...steps, { kind: 'refresh' as const }]) {
        if (each.kind === 'publish' || each.kind === 'rotate') {
          server.attacks.clear()
          if (each.kind === 'rotate') await registry.rotateOnlineKey()
          else {
            const version = (published.get(each.path) ?? 0) + 1
            published.set(each.path, version)
            // The length is the version.
            await registry.publish(each.path, 'x'.repeat(version))
          }
          history.push(registry.state)
        } else if (each.kind === 'replay') replay(trial, each.role, history.at(-1 - each.age))
        else if (each.kind === 'replay all') {
          for (const role of registry.state.keys()) replay(trial, role, history.at(-1 - each.age))
        } else {
          if (each.kind === 'restart') client = trial.client()
          for (const path of PATHS) {
            const version = await observe(client, path)
            const [least, most] = [seen.get(path) ?? 0, published.get(path) ?? 0]
            if (version === undefined) refused++
            else if (version < least || version > most) mistakes.push({ path, version, least, most })
            else {
              seen.set(path, version)
              accepted++
            }
          }
        }
      }
      expect(mistakes).toEqual([])
    })
    // One that is sure to be refused, so that the count below is not a matter of luck.
    const publish = { kind: 'publish' as const, path: 'a' }
    const refresh = { kind: 'refresh' as const }
    const old = { kind: 'replay' as const, role: 'timestamp', age: 1 }
    await assert(property, {
      numRuns: RUNS,
      examples: [[[publish, refresh, publish, refresh, old, refresh]]],
    })
    expect(accepted).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  },
  60_000 + RUNS * 3000,
)
