import { Targets } from '@tufjs/models'
import { assert, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import {
  binNameOf,
  binNames,
  createSigningKey,
  delegateToBins,
  publicKeyOf,
  signBin,
  signEmptyBins,
} from '../../src/signing/index.ts'
import { parse } from '../forge.ts'
import { measure } from '../signed-registry.ts'

const KEY = createSigningKey()
const ISSUE = {
  now: new Date('2026-03-01T12:00:00Z'),
  expires: new Date('2027-03-01T12:00:00Z'),
  keys: [KEY],
}
const HOLDERS = { keys: [publicKeyOf(KEY)], threshold: 1 }

const targetsOf = (bytes: Uint8Array) => parse(bytes).signed['targets']
const entry = (content: string) => ({ length: content.length, hashes: { sha256: measure(content).sha256 } })

test('[A-258] for every path and number of bits the bin is the one that a client looks into', () => {
  const lists = Array.from({ length: 14 }, (_, i) =>
    Targets.fromJSON(parse(delegateToBins({ ...ISSUE, bits: i + 1, holders: HOLDERS }).bytes).signed),
  )
  assert(
    property(string(), integer({ min: 1, max: 14 }), (path, bits) => {
      const roles = [...(lists[bits - 1]?.delegations?.rolesForTarget(path) ?? [])]
      expect(roles).toEqual([{ role: binNameOf(path, bits), terminating: true }])
    }),
  )
})

test('[A-258] there are 2^bits bins, each with a name of its own', () => {
  expect(binNames(1)).toEqual(['bin-0', 'bin-1'])
  expect(binNames(10)).toHaveLength(1024)
  expect(binNames(10).at(-1)).toBe('bin-3ff')
  expect(signEmptyBins({ ...ISSUE, bits: 4 }).map(({ name }) => name)).toEqual(
    binNames(4).map((name) => `1.${name}.json`),
  )
})

test.for([0, 15, -1, 1.5, Number.NaN])('[A-258] %s bits are refused', (bits) => {
  expect(() => binNameOf('a', bits)).toThrow('choose 1 to 14')
  expect(() => delegateToBins({ ...ISSUE, bits, holders: HOLDERS })).toThrow('choose 1 to 14')
})

test('[A-258] a bin refuses a path of another bin', () => {
  const bin = binNameOf('a', 1) === 'bin-0' ? 'bin-1' : 'bin-0'
  expect(() => signBin({ ...ISSUE, bits: 1, bin, changes: new Map([['a', measure('a')]]) })).toThrow(
    'belongs to',
  )
})

test('[A-259] changes add, replace and remove, and the rest of a bin stays', () => {
  const bin = binNameOf('p0', 1)
  const [a = '', b = '', c = ''] = Array.from({ length: 20 }, (_, i) => `p${i}`).filter(
    (path) => binNameOf(path, 1) === bin,
  )
  const first = signBin({ ...ISSUE, bits: 1, bin, changes: new Map([[a, measure('1')], [b, measure('2')]]) }) // biome-ignore format: one line
  const changes = new Map([[a, null], [b, measure('3')], [c, measure('4')]]) // biome-ignore format: one line
  const second = signBin({ ...ISSUE, previous: first.bytes, bits: 1, bin, changes })
  expect(second.name).toBe(`2.${bin}.json`)
  expect(targetsOf(first.bytes)).toEqual({ [a]: entry('1'), [b]: entry('2') })
  expect(targetsOf(second.bytes)).toEqual({ [b]: entry('3'), [c]: entry('4') })
  const renewed = signBin({ ...ISSUE, previous: second.bytes, bits: 1, bin, changes: new Map() })
  expect(targetsOf(renewed.bytes)).toEqual(targetsOf(second.bytes))
})

test('[A-251] bins ask for a threshold that their keys can reach', () => {
  expect(() => delegateToBins({ ...ISSUE, bits: 4, holders: { ...HOLDERS, threshold: 2 } })).toThrow(
    'choose 1 to 1',
  )
})
