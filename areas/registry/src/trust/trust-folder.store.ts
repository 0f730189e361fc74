import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import {
  binsOf,
  isSignedBy,
  readSigned,
  roleOf,
  type SignedDocument,
  suffices,
  versionOf,
} from './signed-document.ts'
import { readRoles, storeTrustFiles } from './trust.store.ts'
import type { KnownVersions, OfflineFile, OfflineFiles } from './trust-folder.ts'

export interface OfflineOptions {
  readonly files: OfflineFiles
  readonly keyId: string
  readonly now: Date
}

export async function knownVersions(db: Db<RegistryTables>): Promise<KnownVersions> {
  const rows = await db
    .selectFrom('trust_roles')
    .select(['role', 'version'])
    .where('role', 'in', ['root', 'targets'])
    .execute()
  const versionOfRole = (role: string) => rows.find((row) => row.role === role)?.version ?? 0
  return { root: versionOfRole('root'), targets: versionOfRole('targets') }
}

/**
 * Takes newer roots and targets from the operator's folder, checked as a client would check them. Answers whether there
 * was something new: then the online key has to sign everything again.
 */
export async function loadOffline(tx: Db<RegistryTables>, options: OfflineOptions): Promise<boolean> {
  const roots = await loadRoots(tx, options.files.roots, options.now)
  if (roots.newest === undefined) return false
  const hasNewTargets = await loadTargets(tx, options, roots.newest)
  return roots.isNew || hasNewTargets
}

async function loadRoots(
  tx: Db<RegistryTables>,
  files: readonly OfflineFile[],
  now: Date,
): Promise<{ newest: SignedDocument | undefined; isNew: boolean }> {
  const known = (await readRoles(tx, ['root'])).get('root')
  let newest = known === undefined ? undefined : readSigned(known.body, 'root')
  let isNew = false
  for (const { version, file, body } of files) {
    if (newest !== undefined && version <= versionOf(newest)) continue
    const root = readSigned(body, 'root')
    const isNext = newest === undefined || version === versionOf(newest) + 1
    const judges = newest === undefined ? [root] : [newest, root]
    if (
      versionOf(root) !== version ||
      !isNext ||
      !judges.every((judge) => isSignedBy(root, roleOf(judge, 'root')))
    )
      throw new Error(`${file} does not follow the root before it: clients would refuse it`)
    await storeTrustFiles(tx, [{ role: 'root', version, file, body, keyId: '', renewAt: null }], now)
    newest = root
    isNew = true
  }
  return { newest, isNew }
}

async function loadTargets(
  tx: Db<RegistryTables>,
  options: OfflineOptions,
  root: SignedDocument,
): Promise<boolean> {
  const { files, keyId, now } = options
  for (const role of ['snapshot', 'timestamp'])
    if (!suffices(roleOf(root, role), keyId)) throw new Error(`the online key may not sign ${role} metadata`)
  const known = (await readRoles(tx, ['targets'])).get('targets')
  if (files.targets === undefined || files.targets.version <= (known?.version ?? 0)) return false
  const { version, file, body } = files.targets
  const targets = readSigned(body, 'targets')
  if (versionOf(targets) !== version || !isSignedBy(targets, roleOf(root, 'targets')))
    throw new Error(`${file} is not signed as the root demands`)
  const { bits, keyRing } = binsOf(targets)
  if (!suffices(keyRing, keyId)) throw new Error(`${file} does not let the online key sign bins`)
  if (known !== undefined && binsOf(readSigned(known.body, 'targets')).bits !== bits)
    throw new Error(`${file} has another number of bins: every signed file would be in the wrong one`)
  await storeTrustFiles(tx, [{ role: 'targets', version, file, body, keyId: '', renewAt: null }], now)
  if (known === undefined) await markEverything(tx)
  return true
}

/** Everything that is already published has to get its first signature, after what is published meanwhile. */
async function markEverything(tx: Db<RegistryTables>): Promise<void> {
  await sql`
    insert into sparse_marks (identifier, marked_at)
    select identifier, to_timestamp(0) from packages where visibility = 'public'
    on conflict do nothing`.execute(tx)
  await tx
    .updateTable('feeds')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('visibility', '=', 'public')
    .execute()
}
