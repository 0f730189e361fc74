import { Problem } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { noteChange } from '../audit/audit.store.ts'
import type { Publisher } from '../deps.ts'
import type { RegistryTables } from '../tables.ts'
import { markChanged } from './feed-changes.store.ts'
import { refreshPackage } from './latest.store.ts'
import { noteLoose } from './loose-objects.store.ts'
import { isYoung } from './package.ts'
import { type NamedVersion, noSuchVersion, requirePackage } from './package-change.store.ts'

/** Yanks a version, or takes that back with `null`. What is as it should be is left alone, and nothing is noted. */
export async function setYanked(
  db: Db<RegistryTables>,
  who: Publisher,
  { owner, identifier, version }: NamedVersion,
  yank: { readonly reason: string } | null,
  now: Date,
): Promise<void> {
  await inTransaction(db, (tx) => yankIn(tx, who, { owner, identifier, version }, yank, now))
}

/** The same in a transaction of somebody else, whoever owns the package. `false`: there is no such version. */
export async function yankForOperator(
  tx: Db<RegistryTables>,
  who: Publisher,
  { identifier, version }: Omit<NamedVersion, 'owner'>,
  yank: { readonly reason: string } | null,
  now: Date,
): Promise<boolean> {
  const found = await tx
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.identifier', 'package_versions.identifier')
    .select('packages.owner')
    .where('package_versions.identifier', '=', identifier)
    .where('package_versions.version', '=', version)
    .executeTakeFirst()
  if (found !== undefined) await yankIn(tx, who, { owner: found.owner, identifier, version }, yank, now)
  return found !== undefined
}

async function yankIn(
  tx: Db<RegistryTables>,
  who: Publisher,
  { owner, identifier, version }: NamedVersion,
  yank: { readonly reason: string } | null,
  now: Date,
): Promise<void> {
  const { visibility } = await requirePackage(tx, { owner, identifier })
  const before = await findVersion(tx, identifier, version)
  const isYanked = before.yanked_at !== null
  if (yank === null ? !isYanked : isYanked && before.yank_reason === yank.reason) return
  await tx
    .updateTable('package_versions')
    .set({
      yanked_at: yank === null ? null : (before.yanked_at ?? now),
      yank_reason: yank === null ? null : yank.reason,
    })
    .where('identifier', '=', identifier)
    .where('version', '=', version)
    .execute()
  await refreshPackage(tx, identifier, now)
  const action = yank === null ? 'unyanked' : 'yanked'
  await noteChange(tx, who, { action, owner, identifier, version, detail: yank?.reason ?? '' }, now)
  await markChanged(tx, { owner, visibility, identifier, now })
}

/** Its objects go a day later, unless something else names them: the same bytes may be about to be published again. */
export async function deleteVersion(
  db: Db<RegistryTables>,
  who: Publisher,
  { owner, identifier, version }: NamedVersion,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { visibility } = await requirePackage(tx, { owner, identifier })
    const found = await findVersion(tx, identifier, version)
    if (!isYoung(found.published_at, now)) throw refuseDeletion('It was published more than 72 hours ago.')
    const deleted = await tx
      .deleteFrom('package_versions')
      .where('identifier', '=', identifier)
      .where('version', '=', version)
      // Asked by the deletion itself: a download that begins meanwhile is noted first and wins, or finds nothing.
      .where('first_downloaded_at', 'is', null)
      .returning(['sort_key', 'archive_sha256', 'manifest_sha256', 'package_icon_sha256'])
      .executeTakeFirst()
    if (deleted === undefined) throw refuseDeletion('Somebody else has downloaded it.')
    const { sort_key, archive_sha256, manifest_sha256, package_icon_sha256 } = deleted
    await noteLoose(tx, [archive_sha256, manifest_sha256, package_icon_sha256], now)
    await tx
      .insertInto('deleted_versions')
      .values({ identifier, version, sort_key, archive_sha256, deleted_at: now })
      .onConflict((conflict) => conflict.columns(['identifier', 'version']).doUpdateSet({ deleted_at: now }))
      .execute()
    await refreshPackage(tx, identifier, now)
    const detail = archive_sha256
    await noteChange(tx, who, { action: 'deleted', owner, identifier, version, detail }, now)
    await markChanged(tx, { owner, visibility, identifier, now })
  })
}

function refuseDeletion(why: string): Problem {
  return new Problem('version_delete_refused', { detail: `${why} Yank it instead: nobody chooses it then.` })
}

async function findVersion(tx: Db<RegistryTables>, identifier: string, version: string) {
  const found = await tx
    .selectFrom('package_versions')
    .select(['published_at', 'yanked_at', 'yank_reason'])
    .where('identifier', '=', identifier)
    .where('version', '=', version)
    .executeTakeFirst()
  if (found === undefined) throw noSuchVersion()
  return found
}
