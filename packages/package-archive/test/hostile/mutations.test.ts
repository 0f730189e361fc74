import { deepTest, depth } from '@patchbay/testkit/depth'
import { array, assert, asyncProperty, constantFrom, nat, noBias, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { forgeWith, samplePng } from '../sample.ts'
import { makeSurroundings } from './sentinel.ts'
import { forge } from './zip-writer.ts'

const RUNS = depth({ common: 150, deep: 12_000 })
/** Of the small archive, every so many-th byte; 3 and 8 share no factor, so that every bit has its turn. */
const STRIDE = depth({ common: 3, deep: 1 })

const ORIGINALS = [
  forgeWith({ name: 'colors/a.json', data: '{"a": 1}', method: 0 }, { name: 'docs/', attributes: 0x10 }),
  forgeWith({ name: 'colors/a.json', data: 'a'.repeat(300), descriptor: 16 }),
  forgeWith(
    { name: 'resources/icon.png', data: samplePng() },
    { name: 'colors/ä', data: 'x', descriptor: 24 },
  ),
]

interface Mutation {
  readonly kind: 'set' | 'flip' | 'insert' | 'delete' | 'copy' | 'cut'
  /** Where, as a part of the length: so that a shorter archive is still hit. */
  readonly at: number
  readonly value: number
  readonly length: number
}

const mutation = record({
  kind: constantFrom<Mutation['kind']>('set', 'flip', 'flip', 'flip', 'insert', 'delete', 'copy', 'cut'),
  at: noBias(nat(9999)).map((place) => place / 10_000),
  value: oneof(nat(255), constantFrom(0, 0x2e, 0x2f, 0x5c, 0xff)),
  length: nat(40),
})

function mutate(bytes: Buffer, { kind, at, value, length }: Mutation): Buffer {
  const start = Math.floor(at * bytes.length)
  const before = bytes.subarray(0, start)
  const after = bytes.subarray(start)
  if (kind === 'set') return Buffer.concat([before, Buffer.from([value]), after.subarray(1)])
  if (kind === 'flip')
    return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ (1 << (value % 8))]), after.subarray(1)])
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, value), after])
  if (kind === 'delete') return Buffer.concat([before, after.subarray(length)])
  if (kind === 'copy') return Buffer.concat([before, after.subarray(0, length), after])
  return before
}

test(
  `[A-219] ${RUNS} changed archives are refused, or hold the same files`,
  async () => {
    await using surroundings = await makeSurroundings()
    const unchanged: (readonly string[] | undefined)[] = []
    for (const original of ORIGINALS) unchanged.push((await surroundings.attack(original)).left)
    const seen = new Set<string>()
    await assert(
      asyncProperty(
        nat(ORIGINALS.length - 1),
        array(mutation, { minLength: 1, maxLength: 3 }),
        async (index, list) => {
          const { inspected, extracted, left, isUntouched } = await surroundings.attack(
            list.reduce(mutate, ORIGINALS[index] ?? Buffer.alloc(0)),
          )
          seen.add(extracted)
          expect(isUntouched).toBe(true)
          expect(`${inspected} ${extracted}`).not.toContain('accident')
          expect(left).toEqual(extracted === 'accepted' ? unchanged[index] : undefined)
        },
      ),
      { numRuns: RUNS },
    )
    // A generator that only ever broke the end record would prove little.
    expect(seen.size).toBeGreaterThan(4)
  },
  30_000 + RUNS * 30,
)

deepTest('[A-219] a single bit of a small archive matters, or changes no file', async () => {
  await using surroundings = await makeSurroundings()
  const original = forge([
    { name: 'plugins/a', data: 'x', method: 0 },
    { name: 'colors/b', data: 'b'.repeat(40) },
  ])
  const whole = await surroundings.attack(original)
  const accidents: string[] = []
  for (let at = 0; at < original.length; at += STRIDE) {
    const changed = Buffer.from(original)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    const { extracted, left, isUntouched } = await surroundings.attack(changed)
    const expected = extracted === 'accepted' ? whole.left : undefined
    if (!isUntouched || extracted.startsWith('accident') || String(left) !== String(expected))
      accidents.push(`${at}: ${extracted}`)
  }
  expect(accidents).toEqual([])
})
