import { Problem } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { STATUS_CHANGES, VERSION_STATUSES, type VersionStatus } from '@patchbay/package-format'
import { noteChange } from '../audit/audit.store.ts'
import type { Publisher } from '../deps.ts'
import type { RegistryTables } from '../tables.ts'
import { markChanged } from './feed-changes.store.ts'
import { refreshPackage } from './latest.store.ts'
import { refuseQuarantined } from './quarantine.ts'

export interface NamedPackage {
  readonly owner: string
  readonly identifier: string
}

export interface NamedVersion extends NamedPackage {
  readonly version: string
}

/** Answers whether anything changed: a package that is as it should be is left alone, and nothing is noted. */
export async function setListed(
  db: Db<RegistryTables>,
  who: Publisher,
  { owner, identifier }: NamedPackage,
  isListed: boolean,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('packages')
      .set({ is_listed: isListed, updated_at: now })
      .where('identifier', '=', identifier)
      .where('owner', '=', owner)
      .where('is_listed', '<>', isListed)
      .where('quarantined_at', 'is', null)
      .returning('visibility')
      .executeTakeFirst()
    if (changed === undefined) {
      const found = await requirePackage(tx, { owner, identifier })
      if (found.quarantined_at !== null) throw refuseQuarantined(found.quarantine_reason)
      return false
    }
    const action = isListed ? 'listed' : 'delisted'
    await noteChange(tx, who, { action, owner, identifier, version: null, detail: '' }, now)
    await markChanged(tx, { owner, visibility: changed.visibility, identifier, now })
    return true
  })
}

/** The package's row is locked first, as when publishing: the latest version is found from all of them. */
export async function setStatus(
  db: Db<RegistryTables>,
  who: Publisher,
  { owner, identifier, version }: NamedVersion,
  status: VersionStatus,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { visibility } = await requirePackage(tx, { owner, identifier })
    const before = await findStatus(tx, identifier, version)
    const { numUpdatedRows } = await tx
      .updateTable('package_versions')
      .set({ status })
      .where('identifier', '=', identifier)
      .where('version', '=', version)
      .where('status', '=', (row) => row.fn.any(row.val(statusesBefore(status))))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw refuseStatus(before, status)
    await refreshPackage(tx, identifier, now)
    const detail = `${before} → ${status}`
    await noteChange(tx, who, { action: 'status_changed', owner, identifier, version, detail }, now)
    await markChanged(tx, { owner, visibility, identifier, now })
  })
}

/** Holds its row to the end of the transaction. */
export async function requirePackage(tx: Db<RegistryTables>, { owner, identifier }: NamedPackage) {
  const found = await tx
    .selectFrom('packages')
    .select(['visibility', 'quarantined_at', 'quarantine_reason'])
    .where('identifier', '=', identifier)
    .where('owner', '=', owner)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (found === undefined) throw new Problem('package_not_found')
  return found
}

async function findStatus(
  tx: Db<RegistryTables>,
  identifier: string,
  version: string,
): Promise<VersionStatus> {
  const found = await tx
    .selectFrom('package_versions')
    .select('status')
    .where('identifier', '=', identifier)
    .where('version', '=', version)
    .executeTakeFirst()
  if (found === undefined) throw noSuchVersion()
  return found.status
}

export function noSuchVersion(): Problem {
  return new Problem('package_not_found', { detail: 'The package has no such version.' })
}

/** From where a status can be reached. */
function statusesBefore(status: VersionStatus): VersionStatus[] {
  return VERSION_STATUSES.filter((before) => STATUS_CHANGES[before].includes(status))
}

function refuseStatus(before: VersionStatus, after: VersionStatus): Problem {
  const ways = STATUS_CHANGES[before].join(' or ')
  return new Problem('status_change_refused', {
    detail:
      before === after
        ? `The version is ${before} already.`
        : `A ${before} version can become ${ways}, but not ${after}.`,
  })
}
