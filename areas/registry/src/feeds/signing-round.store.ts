import { inTransaction } from '@patchbay/kernel/postgres'
import type { RegistryDeps } from '../deps.ts'
import { findDueRoles } from '../trust/trust.store.ts'
import { knownVersions, loadOffline } from '../trust/trust-folder.store.ts'
import type { TrustFolder } from '../trust/trust-folder-read.io.ts'
import { lockIndex } from './index-lock.store.ts'
import { areSettingsOf } from './index-settings.store.ts'
import { LONG_ROUND, type Signer } from './signer.store.ts'
import { hasMarks } from './waiting-feeds.store.ts'

export interface SigningDeps extends Pick<RegistryDeps, 'db' | 'clock'> {
  readonly signer: Signer
  readonly folder: TrustFolder
  readonly fingerprint: string
  readonly tell: () => Promise<void>
}

/** Sparse files that no feed brought along, and what would expire. Answers whether another round is needed. */
export async function signRest({ db, clock, signer, fingerprint, tell }: SigningDeps): Promise<boolean> {
  const now = clock.now()
  // Without the lock: most of the time there is nothing to do.
  if (!(await hasMarks(db, {})) && (await findDueRoles(db, signer.keyId, now, 1)).length === 0) return false
  const { hasSigned, isMoreWaiting } = await inTransaction(db, async (tx) => {
    await lockIndex(tx)
    if (!(await areSettingsOf(tx, fingerprint))) return { hasSigned: false, isMoreWaiting: false }
    return signer.sign(tx, { changes: new Map(), ...LONG_ROUND, now })
  })
  if (hasSigned) await tell()
  return isMoreWaiting
}

/** Takes what the operator has signed since. The folder is read before the index is locked. */
export async function refreshTrust({ db, clock, signer, folder, tell }: SigningDeps): Promise<void> {
  const files = await folder.readNew(await knownVersions(db))
  if (files === undefined) return
  const now = clock.now()
  const isNew = await inTransaction(db, async (tx) => {
    await lockIndex(tx)
    const hasNew = await loadOffline(tx, { files, keyId: signer.keyId, now })
    if (hasNew) await signer.signAgain(tx, now)
    return hasNew
  })
  if (isNew) await tell()
}
