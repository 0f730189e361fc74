import { expect, test } from 'vitest'
import {
  createRoot,
  createSigningKey,
  describeRoot,
  publicKeyOf,
  rotateRoot,
  signTargets,
} from '../../src/signing/index.ts'
import { parse, tamper } from '../forge.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const EXPIRES = new Date('2027-03-01T12:00:00Z')
const [A, B, C, TARGETS, ONLINE] = Array.from({ length: 5 }, createSigningKey) as [
  string,
  string,
  string,
  string,
  string,
]
const when = { now: NOW, expires: EXPIRES }

const holders = (threshold: number, ...pems: readonly string[]) => ({
  keys: pems.map(publicKeyOf),
  threshold,
})
const idOf = (pem: string) => publicKeyOf(pem).id
const ROLES = { root: holders(2, A, B), targets: holders(1, TARGETS), online: holders(1, ONLINE) }
const FIRST = createRoot({ ...when, roles: ROLES, keys: [A, B] })

test('[A-251] a root names keys and thresholds of the four roles', () => {
  expect(FIRST.name).toBe('1.root.json')
  expect(parse(FIRST.bytes).signed).toMatchObject({
    _type: 'root',
    version: 1,
    consistent_snapshot: true,
    expires: '2027-03-01T12:00:00Z',
    roles: {
      root: { threshold: 2, keyids: [idOf(A), idOf(B)] },
      targets: { threshold: 1, keyids: [idOf(TARGETS)] },
      snapshot: { threshold: 1, keyids: [idOf(ONLINE)] },
      timestamp: { threshold: 1, keyids: [idOf(ONLINE)] },
    },
  })
})

test.for([0, -1, 1.5, 3, Number.NaN])('[A-251] a threshold of %s with two keys is refused', (threshold) => {
  for (const role of ['root', 'targets', 'online'] as const) {
    const roles = { ...ROLES, [role]: { ...holders(1, A, B), threshold } }
    expect(() => createRoot({ ...when, roles, keys: [A, B] })).toThrow('choose 1 to 2')
  }
})

test('[A-251] a key that is given twice is refused', () => {
  expect(() =>
    createRoot({ ...when, roles: { ...ROLES, targets: holders(2, TARGETS, TARGETS) }, keys: [A, B] }),
  ).toThrow('twice')
})

test('[A-252] a root with too few signatures of its own keys is not returned', () => {
  expect(() => createRoot({ ...when, roles: ROLES, keys: [A] })).toThrow('signed by 1/2 keys')
})

test('[A-252] a new root needs a threshold of the old keys and of the new ones', () => {
  const rotate = (...keys: readonly string[]) =>
    rotateRoot({ ...when, previous: FIRST.bytes, roles: { root: holders(2, B, C) }, keys })
  expect(() => rotate(B, C)).toThrow('signed by 1/2 keys')
  expect(() => rotate(A, B)).toThrow('signed by 1/2 keys')
  const second = rotate(A, B, C)
  expect(second.name).toBe('2.root.json')
  expect(describeRoot(second.bytes)).toMatchObject({ version: 2, signedBy: [idOf(B), idOf(C)] })
  expect(parse(second.bytes).signatures).toHaveLength(3)
})

test('[A-252] a key that neither root names is refused', () => {
  expect(() => rotateRoot({ ...when, previous: FIRST.bytes, keys: [A, B, ONLINE] })).toThrow('no root key')
})

test('[A-253] a rotation that names nothing only moves the expiry', () => {
  const expires = new Date('2028-01-01T00:00:00Z')
  const {
    version,
    expires: moved,
    ...rest
  } = describeRoot(rotateRoot({ now: NOW, expires, previous: FIRST.bytes, keys: [A, B] }).bytes)
  expect({ version, moved }).toEqual({ version: 2, moved: expires })
  expect(rest.roles).toEqual(describeRoot(FIRST.bytes).roles)
})

test('[A-253] the online key is replaced for snapshot and timestamp, and the old one is gone', () => {
  const next = createSigningKey()
  const second = rotateRoot({
    ...when,
    previous: FIRST.bytes,
    roles: { online: holders(1, next) },
    keys: [A, B],
  })
  const { roles } = describeRoot(second.bytes)
  expect(roles.snapshot.keyIds).toEqual([idOf(next)])
  expect(roles.timestamp.keyIds).toEqual([idOf(next)])
  expect(roles.targets).toEqual(describeRoot(FIRST.bytes).roles.targets)
  expect(Buffer.from(second.bytes).toString()).not.toContain(idOf(ONLINE))
})

test('[A-253] a root key is added, another removed, and the threshold changed, one rotation after the other', () => {
  const added = rotateRoot({
    ...when,
    previous: FIRST.bytes,
    roles: { root: holders(2, A, B, C) },
    keys: [A, C, B],
  })
  const removed = rotateRoot({
    ...when,
    previous: added.bytes,
    roles: { root: holders(2, B, C) },
    keys: [B, C],
  })
  const lowered = rotateRoot({
    ...when,
    previous: removed.bytes,
    roles: { root: holders(1, B, C) },
    keys: [C, B],
  })
  const alone = rotateRoot({ ...when, previous: lowered.bytes, keys: [C] })
  expect(alone.name).toBe('5.root.json')
  expect(describeRoot(alone.bytes).roles.root).toEqual({ threshold: 1, keyIds: [idOf(B), idOf(C)] })
})

test('[A-254] a root is described, and signatures that are not good are not counted', () => {
  expect(describeRoot(FIRST.bytes)).toEqual({
    version: 1,
    expires: EXPIRES,
    roles: {
      root: { threshold: 2, keyIds: [idOf(A), idOf(B)] },
      targets: { threshold: 1, keyIds: [idOf(TARGETS)] },
      snapshot: { threshold: 1, keyIds: [idOf(ONLINE)] },
      timestamp: { threshold: 1, keyIds: [idOf(ONLINE)] },
    },
    signedBy: [idOf(A), idOf(B)],
  })
  const changed = tamper(FIRST.bytes, ({ signed, signatures }) => ({
    signatures,
    signed: { ...signed, version: 7 },
  }))
  expect(describeRoot(changed)).toMatchObject({ version: 7, signedBy: [] })
})

test('[A-254] what is not a root is not described', () => {
  const targets = signTargets({ ...when, files: new Map(), keys: [TARGETS] })
  expect(() => describeRoot(targets.bytes)).toThrow()
  expect(() => describeRoot(Buffer.from('{}'))).toThrow()
  expect(() => describeRoot(Buffer.from('[]'))).toThrow()
})
