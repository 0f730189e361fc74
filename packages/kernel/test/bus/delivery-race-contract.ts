import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Directory, Holder, NodeId } from '../../src/bus/ports/bus.ts'
import { LIFETIMES, type OpenSession, unique } from './rig.ts'

const RACES = depth({ common: 500, deep: 10_000 })

export function deliveryRaceContract(open: OpenSession): void {
  test(`[K-594] ${RACES} random races of three nodes deliver nothing twice, nor to somebody who does not hold it`, {
    timeout: 60_000,
  }, async () => {
    await using session = await open()
    const buses = await Promise.all([session.connect(), session.connect(), session.connect()])
    const name = unique('directory')
    const nodes = new Map(buses.map((bus) => [bus.node, bus.directory(name, LIFETIMES)]))
    const field = new Field(nodes)
    const seed = Math.floor(Math.random() * 2 ** 31)
    const races = fc.sample(plan, { seed, numRuns: RACES })
    for (let start = 0; start < races.length; start += 250) {
      const batch = races.slice(start, start + 250)
      const faults = await Promise.all(batch.map((steps, index) => field.run(`${start + index}`, steps)))
      expect({ seed, faults: faults.flat() }).toEqual({ seed, faults: [] })
    }
    expect([...nodes.values()].map((directory) => directory.ownCount())).toEqual([0, 0, 0])
    expect(field.delivered).toBeGreaterThan(RACES / 10)
  })
}

type Act = 'claim' | 'resume' | 'suspend' | 'release' | 'deliver'

interface Step {
  readonly by: number
  readonly act: Act
  readonly sealed: boolean
  /** Which of the epochs of this race the step is about. */
  readonly epoch: number
  /** How many turns of the event loop the step waits: random interleavings. */
  readonly delay: number
}

const step: fc.Arbitrary<Step> = fc.record({
  by: fc.nat(2),
  act: fc.constantFrom('claim', 'resume', 'resume', 'suspend', 'release', 'deliver', 'deliver', 'deliver'),
  sealed: fc.boolean(),
  epoch: fc.nat(2),
  delay: fc.nat(3),
})
const plan = fc.array(step, { minLength: 3, maxLength: 8 })

/** What one race has come to. A holding begins once and ends once; the key is given away once. */
interface Tally {
  readonly begun: string[]
  readonly ended: string[]
  readonly givenAway: string[]
  readonly replied: string[]
}

const SEAL = 'seal'

class Field {
  delivered = 0
  readonly #nodes: ReadonlyMap<NodeId, Directory>
  readonly #received = new Map<string, string[]>()

  constructor(nodes: ReadonlyMap<NodeId, Directory>) {
    this.#nodes = nodes
    for (const [node, directory] of nodes) {
      directory.onDelivery((epoch, key) => {
        this.#received.get(key)?.push(`${node} ${epoch}`)
        return `${node} ${epoch}`
      })
    }
  }

  /** What went wrong, if anything did. */
  async run(key: string, steps: readonly Step[]): Promise<string[]> {
    const tally: Tally = { begun: [], ended: [], givenAway: [], replied: [] }
    const received: string[] = []
    this.#received.set(key, received)
    await Promise.all(steps.map((entry, index) => this.#take(key, entry, index, tally)))
    // Whoever holds it at the end gets a last message, so that the count must be 0.
    await this.#deliver(key, [...this.#nodes.values()][0], tally)
    this.delivered += received.length
    const faults = [
      ...repeated(tally.begun).map((holding) => `began twice: ${holding}`),
      ...repeated(tally.ended).map((holding) => `ended twice: ${holding}`),
      ...tally.ended
        .filter((holding) => !tally.begun.includes(holding))
        .map((each) => `never began: ${each}`),
      ...(tally.givenAway.length > 1 ? [`given away: ${tally.givenAway.join(', ')}`] : []),
      ...(received.join() === tally.replied.join() ? [] : [`received ${received}, replied ${tally.replied}`]),
    ]
    return faults.map((fault) => `${key}: ${fault}`)
  }

  async #take(
    key: string,
    { by, act, sealed, epoch, delay }: Step,
    index: number,
    tally: Tally,
  ): Promise<void> {
    for (let turn = 0; turn < delay; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const [node, directory] = [...this.#nodes][by] ?? []
    if (node === undefined || directory === undefined) return
    // Epochs of claims without a seal say so: given up, they leave nothing, and the key is free again.
    const [own, some] = [`${index}${sealed ? 's' : 'u'}`, `${epoch}${sealed ? 's' : 'u'}`]
    if (act === 'claim') {
      const answer = await directory.claim(key, own, sealed ? SEAL : undefined)
      if (answer === 'claimed') tally.begun.push(`${node} ${own}`)
    } else if (act === 'resume') {
      const resumed = await directory.resume(key, `${index}s`, SEAL)
      if (resumed !== undefined) tally.begun.push(`${node} ${index}s`)
      if (resumed?.previous !== undefined) this.#settle(key, resumed.previous, tally)
    } else if (act === 'deliver') {
      await this.#deliver(key, directory, tally)
    } else if (await directory[act](key, some)) {
      tally.ended.push(`${node} ${some}`)
      if (act === 'release' && sealed) tally.givenAway.push(act)
    }
  }

  async #deliver(key: string, directory: Directory | undefined, tally: Tally): Promise<void> {
    const outcome = await directory?.deliver(key, key, 20_000)
    if (outcome?.outcome === 'absent' || outcome?.outcome === 'suspended') return
    const reply = outcome?.outcome === 'answered' ? outcome.reply : `no reply: ${outcome?.outcome}`
    tally.givenAway.push('delivered')
    tally.ended.push(reply)
    tally.replied.push(reply)
  }

  /** The node that lost the key is told, as callers do it. */
  #settle(key: string, { node, epoch }: Holder, tally: Tally): void {
    tally.ended.push(`${node} ${epoch}`)
    this.#nodes.get(node)?.settle(key, epoch)
  }
}

function repeated(items: readonly string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index)
}
