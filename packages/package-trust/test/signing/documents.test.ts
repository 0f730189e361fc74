import { createPublicKey, verify } from 'node:crypto'
import { Key, Metadata, MetadataKind } from '@tufjs/models'
import { expect, test } from 'vitest'
import {
  createSigningKey,
  delegateToBins,
  type Issue,
  prepareKey,
  publicKeyOf,
  type SignedFile,
  signBin,
  signSnapshot,
  signTargets,
  signTimestamp,
} from '../../src/signing/index.ts'
import { parse } from '../forge.ts'
import { measure } from '../signed-registry.ts'

const KEY = createSigningKey()
const NOW = new Date('2026-03-01T12:00:00.500Z')
const ISSUE: Issue = { now: NOW, expires: new Date('2026-03-02T12:00:00.900Z'), keys: [KEY] }
const FILES = new Map([['b', measure('b')], ['a', measure('a')]]) // biome-ignore format: one line

const SNAPSHOT = signSnapshot({ ...ISSUE, changed: [signTargets({ ...ISSUE, files: FILES })] })
const HOLDERS = { keys: [publicKeyOf(KEY)], threshold: 1 }
const KINDS: readonly (readonly [string, (issue: Issue) => SignedFile])[] = [
  ['targets', (issue) => signTargets({ ...issue, files: FILES })],
  ['a delegation', (issue) => delegateToBins({ ...issue, bits: 4, holders: HOLDERS })],
  ['a bin', (issue) => signBin({ ...issue, bits: 1, bin: 'bin-0', changes: new Map() })],
  ['a snapshot', (issue) => signSnapshot({ ...issue, changed: [] })],
  ['a timestamp', (issue) => signTimestamp({ ...issue, snapshot: SNAPSHOT.bytes })],
]

test.for(KINDS)('[A-255] %s: the same arguments give the same bytes', ([, sign]) => {
  expect(sign(ISSUE)).toEqual(sign({ ...ISSUE }))
})

test.for(KINDS)('[A-255] %s: a key that was read before gives the bytes that its PEM gives', ([, sign]) => {
  expect(sign({ ...ISSUE, keys: [prepareKey(KEY)] })).toEqual(sign(ISSUE))
})

test('[A-255] what is signed is what is written, and what others compute', () => {
  const names = ['quote "and" more', 'ünï/😀', 'b', 'B', '10', '9']
  const { bytes } = signTargets({ ...ISSUE, files: new Map(names.map((name) => [name, measure(name)])) })
  const { signed, signatures } = parse(bytes)
  expect(Object.keys(signed['targets'] as object).toSorted()).toEqual(names.toSorted())
  const metadata = Metadata.fromJSON(MetadataKind.Targets, { signed, signatures })
  const { id, hex } = publicKeyOf(KEY)
  const key = { keyID: id, keyType: 'ed25519', scheme: 'ed25519', keyVal: { public: hex } }
  expect(() => new Key(key).verifySignature(metadata)).not.toThrow()
  const written = bytes.subarray(Buffer.from(bytes).indexOf('"signed":') + '"signed":'.length, -1)
  expect(
    verify(undefined, written, createPublicKey(KEY), Buffer.from(String(signatures[0]?.['sig']), 'hex')),
  ).toBe(true)
})

test('[A-255] the order in which files are given makes no difference', () => {
  const reversed = new Map([...FILES].toReversed())
  expect(signTargets({ ...ISSUE, files: reversed })).toEqual(signTargets({ ...ISSUE, files: FILES }))
})

test.for(KINDS)('[A-255] %s: an expiry is in whole seconds and after now', ([, sign]) => {
  expect(parse(sign(ISSUE).bytes).signed).toMatchObject({ expires: '2026-03-02T12:00:00Z' })
  for (const expires of [
    NOW,
    new Date(NOW.getTime() - 1),
    new Date(NOW.getTime() + 400),
    new Date(Number.NaN),
  ]) {
    expect(() => sign({ ...ISSUE, expires })).toThrow('expiry')
  }
})

test.for(KINDS)('[A-256] %s: versions go up, and never back', ([, sign]) => {
  const first = sign(ISSUE)
  expect(parse(first.bytes).signed.version).toBe(1)
  const second = sign({ ...ISSUE, previous: first.bytes })
  expect(parse(second.bytes).signed.version).toBe(2)
  expect(parse(sign({ ...ISSUE, previous: second.bytes, version: 9 }).bytes).signed.version).toBe(9)
  for (const version of [2, 1, 0, -1, 2.5]) {
    expect(() => sign({ ...ISSUE, previous: second.bytes, version })).toThrow('does not follow')
  }
})

test('[A-256] a document does not continue one of another kind', () => {
  expect(() => signTargets({ ...ISSUE, previous: SNAPSHOT.bytes, files: FILES })).toThrow(
    'not targets metadata',
  )
  expect(() => signTimestamp({ ...ISSUE, snapshot: signTargets({ ...ISSUE, files: FILES }).bytes })).toThrow(
    'not snapshot',
  )
})

test.for([
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  './a',
  'a/../b',
  '..',
  'a\\b',
  'a\nb',
  'a\u0000',
  '__proto__',
  'constructor',
  'x'.repeat(1025),
])('[A-257] %j cannot be a target', (path) => {
  const files = new Map([[path, measure('')]])
  expect(() => signTargets({ ...ISSUE, files })).toThrow('cannot be a target')
  expect(() => signBin({ ...ISSUE, bits: 1, bin: 'bin-0', changes: files })).toThrow('cannot be a target')
})

test.for(['a', 'feeds/kicad/repository.json', 'sparse/tool/com.x.json', '.well-known/x', 'a..b', 'ä/ü'])(
  '[A-257] %j can be a target',
  (path) => {
    const { signed } = parse(signTargets({ ...ISSUE, files: new Map([[path, measure('x')]]) }).bytes)
    expect(signed).toMatchObject({
      targets: { [path]: { length: 1, hashes: { sha256: measure('x').sha256 } } },
    })
  },
)

test('[A-257] a length or a hash that is none is refused', () => {
  const { sha256 } = measure('')
  const sign = (length: number, hash: string) =>
    signTargets({ ...ISSUE, files: new Map([['a', { length, sha256: hash }]]) })
  for (const length of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => sign(length, sha256)).toThrow('whole number')
  for (const hash of ['', sha256.toUpperCase(), sha256.slice(1), `${sha256}0`])
    expect(() => sign(0, hash)).toThrow('64')
})

test('[A-260] a snapshot names what changed and keeps the rest', () => {
  const bin = (name: string, previous?: SignedFile) =>
    signBin({ ...ISSUE, bits: 1, bin: name, changes: new Map(), previous: previous?.bytes })
  const [zero, one] = [bin('bin-0'), bin('bin-1')]
  const first = signSnapshot({ ...ISSUE, changed: [zero, one] })
  const newer = bin('bin-1', one)
  const second = signSnapshot({ ...ISSUE, previous: first.bytes, changed: [newer] })
  expect(second.name).toBe('2.snapshot.json')
  const entry = (file: SignedFile, version: number) => {
    const { length, sha256 } = measure(Buffer.from(file.bytes).toString())
    return { version, length, hashes: { sha256 } }
  }
  expect(parse(second.bytes).signed['meta']).toEqual({
    'bin-0.json': entry(zero, 1),
    'bin-1.json': entry(newer, 2),
  })
  expect(() => signSnapshot({ ...ISSUE, previous: second.bytes, changed: [one] })).toThrow('older than 2')
})

test('[A-260] a file without a version in its name cannot be in a snapshot', () => {
  const timestamp = signTimestamp({ ...ISSUE, snapshot: SNAPSHOT.bytes })
  expect(() => signSnapshot({ ...ISSUE, changed: [timestamp] })).toThrow('no version')
})

test('[A-261] a snapshot of 16,384 bins takes less than five seconds, where the square of that takes a minute', () => {
  const bytes = Buffer.from('{}')
  const bins = Array.from({ length: 16_384 }, (_, i) => ({
    name: `1.bin-${i.toString(16).padStart(4, '0')}.json`,
    bytes,
  }))
  const before = process.threadCpuUsage()
  const first = signSnapshot({ ...ISSUE, changed: bins })
  signSnapshot({ ...ISSUE, previous: first.bytes, changed: bins.slice(0, 1) })
  // Of the processor: a busy machine makes everything longer.
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(5000)
})
