import { expect, test } from 'vitest'
import { createRoot, createSigningKey, publicKeyOf, signStaticRepository } from '../../src/signing/index.ts'
import { parse } from '../forge.ts'
import { measure } from '../signed-registry.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const [ROOT, TARGETS, ONLINE] = Array.from({ length: 3 }, createSigningKey) as [string, string, string]
const one = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
const ROLES = { root: one(ROOT), targets: one(TARGETS), online: one(ONLINE) }
const { bytes: root } = createRoot({
  roles: ROLES,
  now: NOW,
  expires: new Date('2027-03-01T12:00:00Z'),
  keys: [ROOT],
})
const keys = { targets: [TARGETS], online: [ONLINE] }
const files = new Map<string, Uint8Array>([['repository.json', Buffer.from('{}')]])

test('[A-262] a static repository is three files, in the order in which they are written', () => {
  const signed = signStaticRepository({ files, root, keys, now: NOW })
  expect(signed.map(({ name }) => name)).toEqual(['1.targets.json', '1.snapshot.json', 'timestamp.json'])
  const { sha256 } = measure('{}')
  expect(parse(signed[0]?.bytes ?? root).signed['targets']).toEqual({
    'repository.json': { length: 2, hashes: { sha256 } },
  })
  expect(signed.map(({ bytes }) => parse(bytes).signed['expires'])).toEqual(
    Array(3).fill('2026-05-30T12:00:00Z'),
  )
})

test('[A-262] files may be given by length and hash, and the same input gives the same bytes', () => {
  const measured = new Map([['repository.json', measure('{}')]])
  expect(signStaticRepository({ files: measured, root, keys, now: NOW })).toEqual(
    signStaticRepository({ files, root, keys, now: NOW }),
  )
})

test('[A-262] versions continue from the newest of what is in the folder, in whatever order it is given', () => {
  const first = signStaticRepository({ files, root, keys, now: NOW })
  const second = signStaticRepository({ files, root, keys, previous: first, now: NOW })
  const folder = [...second, ...first.slice(0, 2), { name: '1.root.json', bytes: root }]
  const third = signStaticRepository({
    files: new Map(),
    root,
    keys,
    previous: folder,
    now: NOW,
    lifetimeDays: 1,
  })
  expect(third.map(({ name }) => name)).toEqual(['3.targets.json', '3.snapshot.json', 'timestamp.json'])
  expect(parse(third[2]?.bytes ?? root).signed).toMatchObject({ version: 3, expires: '2026-03-02T12:00:00Z' })
})

test('[A-262] keys that the root does not name sign nothing', () => {
  const stranger = createSigningKey()
  const sign = (other: Partial<typeof keys>) => () =>
    signStaticRepository({ files, root, keys: { ...keys, ...other }, now: NOW })
  expect(sign({ targets: [stranger] })).toThrow('targets was signed by 0/1 keys')
  expect(sign({ online: [stranger] })).toThrow('snapshot was signed by 0/1 keys')
  expect(sign({ online: [] })).toThrow('snapshot was signed by 0/1 keys')
})
