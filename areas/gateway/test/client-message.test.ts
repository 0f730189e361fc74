import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { readClientMessage } from '../src/client-message.ts'
import { readProviderAnswer } from '../src/provider-answer.ts'

const almost = fc.record(
  {
    type: fc.oneof(fc.constantFrom('register', 'unregister'), fc.anything()),
    state: fc.oneof(fc.uuid(), fc.anything()),
    provider: fc.oneof(fc.string(), fc.anything()),
    label: fc.anything(),
    resumeChallenge: fc.anything(),
    resumeVerifier: fc.anything(),
  },
  { requiredKeys: [] },
)

test('[B-8][B-9] whatever is sent, a reading is a sound message or a fault with a short state', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    almost.map((value) => JSON.stringify(value) ?? ''),
  )
  fc.assert(
    fc.property(text, (sent) => {
      const reading = readClientMessage(sent)
      const isSound =
        'wrong' in reading
          ? /^[A-Z].*\.$/.test(reading.wrong) && reading.state.length <= 100
          : /^[\da-fA-F-]{36}$/.test(reading.message.state) &&
            ['register', 'unregister'].includes(reading.message.type)
      expect(isSound).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

deepTest('[B-23][B-24] whatever is in a query, it is refused as a whole or passed on as a whole', () => {
  const name = fc.oneof(
    fc.constantFrom('code', 'state', 'iss', 'error', '__proto__'),
    fc.string({ unit: 'binary' }),
  )
  const pairs = fc.array(fc.tuple(name, fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }))), { maxLength: 8 })
  fc.assert(
    fc.property(pairs, fc.uuid(), (sent, state) => {
      const all = [...sent.filter(([key]) => key !== 'state'), ['state', state] as const]
      const text = new URLSearchParams(all.map(([key, value]) => [key, value])).toString()
      const reading = readProviderAnswer(text)
      const times = (key: string) => new URLSearchParams(text).getAll(key).length
      fc.pre(!('malformed' in reading))
      expect([times('code') <= 1, times('state'), times('iss') <= 1]).toEqual([true, 1, true])
      const { query } = JSON.parse(reading.frame) as {
        query: Record<string, string | string[]>
      }
      const passed = Object.entries(query).flatMap(([key, value]) =>
        [value].flat().map((one) => `${key}=${one}`),
      )
      const wanted = [...new URLSearchParams(text)].map(([key, value]) => `${key}=${value}`)
      expect(passed.toSorted()).toEqual(wanted.toSorted())
    }),
    { numRuns: 2_000 },
  )
})
