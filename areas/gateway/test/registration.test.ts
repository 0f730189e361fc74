import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Registration, Registrations } from '../src/registration.ts'

const OWNERS = ['a', 'b', 'c'] as const
const ADDRESSES = { a: '203.0.113.1', b: '203.0.113.1', c: '203.0.113.2' } as const

type Step =
  | { readonly do: 'add'; readonly owner: (typeof OWNERS)[number]; readonly lastsMs: number }
  | { readonly do: 'remove'; readonly which: number }
  | { readonly do: 'endAt'; readonly which: number; readonly lastsMs: number }
  | { readonly do: 'wait'; readonly ms: number }

const lastsMs = fc.integer({ min: 1, max: 5_000 })
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('add'), owner: fc.constantFrom(...OWNERS), lastsMs }),
    fc.record({ do: fc.constant('remove'), which: fc.nat(20) }),
    fc.record({ do: fc.constant('endAt'), which: fc.nat(20), lastsMs }),
    fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 0, max: 3_000 }) }),
  ),
  { maxLength: 60 },
)

function hold(condition: boolean, what: string): void {
  if (!condition) throw new Error(`the book and the list differ in ${what}`)
}

function sameMembers(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one))
}

test('[B-5][B-41] the book agrees with a plain list, whatever is done to it', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const caps = { perConnection: 3, perAddress: 5 }
      const book = new Registrations<string>(caps)
      let list: Registration<string>[] = []
      const made: Registration<string>[] = []
      let now = 1_000_000
      for (const step of sequence) {
        if (step.do === 'wait') {
          now += step.ms
          const ended = list.filter(({ expiresAt }) => expiresAt <= now)
          list = list.filter(({ expiresAt }) => expiresAt > now)
          hold(sameMembers(book.expire(now), ended), 'what has ended')
        } else if (step.do === 'add') {
          const address = ADDRESSES[step.owner]
          const mayAdd =
            list.filter(({ owner }) => owner === step.owner).length < caps.perConnection &&
            list.filter((one) => one.address === address).length < caps.perAddress
          const added = book.add({
            state: `state-${made.length}`,
            owner: step.owner,
            address,
            provider: 'example',
            label: undefined,
            expiresAt: now + step.lastsMs,
          })
          hold((added !== undefined) === mayAdd, 'the caps')
          if (added === undefined) continue
          list.push(added)
          made.push(added)
        } else {
          const one = made[step.which % Math.max(1, made.length)]
          if (one === undefined) continue
          const held = list.includes(one)
          if (step.do === 'remove') {
            hold(book.remove(one) === held, 'what was held')
            list = list.filter((other) => other !== one)
          } else if (held) book.endAt(one, now + step.lastsMs)
        }
        expect(book.size).toBe(list.length)
        for (const owner of OWNERS) {
          expect(book.ownedBy(owner)).toEqual(list.filter((one) => one.owner === owner))
          expect(book.has(owner)).toBe(list.some((one) => one.owner === owner))
        }
      }
      expect(new Set(made.map(({ epoch }) => epoch)).size).toBe(made.length)
      for (const one of list) {
        expect(book.get(one.epoch)).toBe(one)
        expect(book.find(one.owner, one.state)).toBe(one)
      }
    }),
  )
})
