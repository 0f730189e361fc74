import type { Db } from '@patchbay/kernel/postgres'
import type { Secret } from '@patchbay/kernel/log'
import {
  binNameOf,
  binNames,
  type FileInfo,
  publicKeyOf,
  signBin,
  type SignedFile,
  signSnapshot,
  signTimestamp,
} from '@patchbay/package-trust/signing'
import type { RegistryTables } from '../tables.ts'
import { sparsePath } from '../files/addresses.ts'
import { measureText } from './measure.ts'
import { binsOf, readSigned, roleOf, suffices } from './signed-document.ts'
import { signedSparse } from './signed-sparse.store.ts'
import { findDueRoles, type NewTrustFile, readRoles, storeTrustFiles, type TrustRole } from './trust.store.ts'

/** By path below the registry; `null`: the file is no more. */
export type SignedChanges = ReadonlyMap<string, FileInfo | null>

export interface SigningRound {
  readonly changes: SignedChanges
  /** How many sparse files that wait for it are signed along, at most. */
  readonly marks: number
  readonly now: Date
}

export interface Signed {
  /** Whether there was something to sign. */
  readonly hasSigned: boolean
  /** Whether sparse files are left for another round. */
  readonly isMoreWaiting: boolean
}

export interface Signer {
  readonly keyId: string
  /**
   * Signs what changed, the sparse files that wait for it, and what would expire; inside the transaction that makes the
   * changes visible, and under the lock of the index. Does nothing until the offline part is there.
   */
  sign(tx: Db<RegistryTables>, round: SigningRound): Promise<Signed>
  /** After a new root or new targets: bins that the old key signed would be refused. */
  signAgain(tx: Db<RegistryTables>, now: Date): Promise<Signed>
}

export interface SignerOptions {
  readonly onlineKey: Secret
  readonly brands: readonly string[]
  readonly publicUrl: string
  readonly fingerprint: string
}

const DAY_MS = 86_400_000
const LIFETIMES_MS = { timestamp: DAY_MS, snapshot: 7 * DAY_MS, bin: 30 * DAY_MS }
const MOST_RENEWED = 256
/** A round signs nearly every bin, however few it takes: with less, a first signing would take as many times longer. */
export const MARKS_PER_ROUND = 2_000
const ONLINE = ['snapshot', 'timestamp']
const TOP = ['root', 'targets', 'snapshot', 'timestamp']

export function createSigner({ onlineKey, ...spelling }: SignerOptions): Signer {
  const pem = onlineKey.reveal()
  const keyId = publicKeyOf(pem).id

  const issue = (previous: TrustRole | undefined, lifetimeMs: number, now: Date) => ({
    previous: previous?.body,
    now,
    expires: new Date(now.getTime() + lifetimeMs),
    keys: [pem],
  })
  const asNew = (role: string, { name, bytes }: SignedFile, lifetimeMs: number, now: Date): NewTrustFile => ({
    role,
    version: readVersion(bytes),
    file: name,
    body: bytes,
    keyId,
    renewAt: new Date(now.getTime() + lifetimeMs / 2),
  })

  const signAll = async (
    tx: Db<RegistryTables>,
    { changes: given, marks: most, now }: SigningRound,
    demanded: (bits: number) => readonly string[],
  ): Promise<Signed> => {
    const top = await readRoles(tx, TOP)
    const targets = top.get('targets')
    if (targets === undefined) return { hasSigned: false, isMoreWaiting: false }
    const bits = checkKey(top.get('root'), targets, keyId)
    const changes = new Map(given)
    const { texts, isMoreWaiting } = await signedSparse(tx, { ...spelling, most })
    for (const { brand, identifier, body } of texts)
      changes.set(sparsePath(brand, identifier), measureText(body))
    const byBin = groupByBin(changes, bits)
    const due = await findDueRoles(tx, keyId, now, MOST_RENEWED)
    const dueBins = due.filter((role) => !TOP.includes(role))
    const bins = [...new Set([...byBin.keys(), ...dueBins, ...demanded(bits)])]
    if (bins.length === 0 && due.length === 0) return { hasSigned: false, isMoreWaiting }

    const previous = await readRoles(tx, bins)
    const signed = bins.map((bin): NewTrustFile => {
      const content = { bits, bin, changes: byBin.get(bin) ?? new Map<string, FileInfo | null>() }
      const file = signBin({ ...issue(previous.get(bin), LIFETIMES_MS.bin, now), ...content })
      return asNew(bin, file, LIFETIMES_MS.bin, now)
    })
    const changed = [targets, ...signed].map(({ file, body }) => ({ name: file, bytes: body }))
    const snapshot = signSnapshot({ ...issue(top.get('snapshot'), LIFETIMES_MS.snapshot, now), changed })
    const timestamp = signTimestamp({
      ...issue(top.get('timestamp'), LIFETIMES_MS.timestamp, now),
      snapshot: snapshot.bytes,
    })
    signed.push(asNew('snapshot', snapshot, LIFETIMES_MS.snapshot, now))
    signed.push(asNew('timestamp', timestamp, LIFETIMES_MS.timestamp, now))
    await storeTrustFiles(tx, signed, now)
    return { hasSigned: true, isMoreWaiting }
  }

  return {
    keyId,
    sign: (tx, round) => signAll(tx, round, () => []),
    signAgain: (tx, now) => signAll(tx, { changes: new Map(), marks: MARKS_PER_ROUND, now }, binNames),
  }
}

/** A node that still has the key from before a rotation must not sign over those that have the new one. */
function checkKey(root: TrustRole | undefined, targets: TrustRole, keyId: string): number {
  const { bits, keyRing } = binsOf(readSigned(targets.body, 'targets'))
  const rings = root === undefined ? [] : ONLINE.map((role) => roleOf(readSigned(root.body, 'root'), role))
  if ([...rings, keyRing].every((ring) => suffices(ring, keyId))) return bits
  throw new Error('the online key is not the one that root and targets name: nothing is signed')
}

function groupByBin(changes: SignedChanges, bits: number): Map<string, Map<string, FileInfo | null>> {
  const byBin = new Map<string, Map<string, FileInfo | null>>()
  for (const [path, info] of changes) {
    const bin = binNameOf(path, bits)
    const known = byBin.get(bin) ?? new Map<string, FileInfo | null>()
    byBin.set(bin, known.set(path, info))
  }
  return byBin
}

function readVersion(bytes: Uint8Array): number {
  const { signed } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { signed: { version: number } }
  return signed.version
}
