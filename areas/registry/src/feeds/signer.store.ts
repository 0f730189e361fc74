import type { Secret } from '@patchbay/kernel/log'
import type { Db } from '@patchbay/kernel/postgres'
import {
  binNameOf,
  binNames,
  type FileInfo,
  type IssuedFile,
  prepareKey,
  signBin,
  signSnapshot,
  signTimestamp,
} from '@patchbay/package-trust/signing'
import { yieldEvery } from '@patchbay/primitives/async'
import { sparsePath } from '../files/addresses.ts'
import type { RegistryTables } from '../tables.ts'
import { binsOf, readSigned, roleOf, suffices } from '../trust/signed-document.ts'
import {
  findDueRoles,
  type NewTrustFile,
  readRoles,
  storeTrustFiles,
  type TrustRole,
} from '../trust/trust.store.ts'
import { LONGEST_STEP_MS, signedSparse } from './signed-sparse.store.ts'

/** By path below the registry; `null`: the file is no more. */
export type SignedChanges = ReadonlyMap<string, FileInfo | null>

export interface SigningRound {
  readonly changes: SignedChanges
  /** How many packages' sparse files that wait for it are signed along, at most; */
  readonly marks: number
  /** as many again while this time is not over. */
  readonly longestMs?: number
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
const MARKS_PER_BATCH = 2_000
/**
 * Of a round of its own. It signs nearly every bin, however few files it takes: with a fixed number of them a first
 * signing grew with the square of the packages. Publishers wait for the lock meanwhile, so it must not be long either.
 */
export const LONG_ROUND = { marks: MARKS_PER_BATCH, longestMs: 1_500 }
const ONLINE = ['snapshot', 'timestamp']
const TOP = ['root', 'targets', 'snapshot', 'timestamp']

export function createSigner({ onlineKey, ...spelling }: SignerOptions): Signer {
  const key = prepareKey(onlineKey.reveal())
  const keyId = key.id

  const issue = (previous: TrustRole | undefined, lifetimeMs: number, now: Date) => ({
    previous: previous?.body,
    now,
    expires: new Date(now.getTime() + lifetimeMs),
    keys: [key],
  })
  const asNew = (role: string, issued: IssuedFile, lifetimeMs: number, now: Date): NewTrustFile => ({
    role,
    version: issued.version,
    file: issued.name,
    body: issued.bytes,
    keyId,
    renewAt: new Date(now.getTime() + lifetimeMs / 2),
  })

  const signAll = async (
    tx: Db<RegistryTables>,
    { changes: given, marks: most, longestMs = 0, now }: SigningRound,
    demanded: (bits: number) => readonly string[],
  ): Promise<Signed> => {
    const top = await readRoles(tx, TOP)
    const targets = top.get('targets')
    if (targets === undefined) return { hasSigned: false, isMoreWaiting: false }
    const bits = checkKey(top.get('root'), targets, keyId)
    const changes = new Map(given)
    const spellUntil = performance.now() + longestMs
    let isMoreWaiting: boolean
    do {
      const round = await signedSparse(tx, { ...spelling, most })
      for (const { brand, identifier, info } of round.files) changes.set(sparsePath(brand, identifier), info)
      ;({ isMoreWaiting } = round)
    } while (isMoreWaiting && performance.now() < spellUntil)
    const byBin = groupByBin(changes, bits)
    const due = await findDueRoles(tx, keyId, now, MOST_RENEWED)
    const dueBins = due.filter((role) => !TOP.includes(role))
    const bins = [...new Set([...byBin.keys(), ...dueBins, ...demanded(bits)])]
    if (bins.length === 0 && due.length === 0) return { hasSigned: false, isMoreWaiting }

    const previous = await readRoles(tx, bins)
    const yieldIfDue = yieldEvery(LONGEST_STEP_MS)
    const signed: NewTrustFile[] = []
    for (const bin of bins) {
      const content = { bits, bin, changes: byBin.get(bin) ?? new Map<string, FileInfo | null>() }
      const file = signBin({ ...issue(previous.get(bin), LIFETIMES_MS.bin, now), ...content })
      signed.push(asNew(bin, file, LIFETIMES_MS.bin, now))
      await yieldIfDue()
    }
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
    signAgain: (tx, now) => signAll(tx, { changes: new Map(), marks: MARKS_PER_BATCH, now }, binNames),
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
