import type { Provenance } from '@patchbay/contracts/core'
import type { Visibility } from '@patchbay/contracts/registry'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { noteChange } from '../audit/audit.store.ts'
import type { Publisher } from '../deps.ts'
import { markChanged } from '../packages/feed-changes.store.ts'
import { refreshPackage } from '../packages/latest.store.ts'
import { noteNamed } from '../packages/loose-objects.store.ts'
import type { RegistryTables } from '../tables.ts'
import { type Candidate, findTaken, isPublished, requireFitting } from './conflicts.store.ts'
import { type NewVersion, packageColumns, versionColumns } from './publication.ts'

export interface Outcome {
  /** `false`: the same bytes were published before. */
  readonly isNew: boolean
  readonly visibility: Visibility
}

/**
 * Makes a version visible, all of it at once: before the commit nobody sees anything, after it everything is there. The
 * lock on the package's row is what makes of fifty publishers of one version a single one.
 */
export async function publishVersion(
  db: Db<RegistryTables>,
  who: Publisher,
  added: NewVersion,
  now: Date,
): Promise<Outcome> {
  return await inTransaction(db, async (tx) => {
    const { owner, metadata, version } = added
    const { identifier } = metadata
    const { provenance = null } = who.credential
    const candidate = { ...added, archiveSha256: added.objects.archive }
    const { isFirst, visibility } = await bindIdentifier(tx, candidate, now)
    if (!isFirst && (await isPublished(tx, candidate))) return { isNew: false, visibility }
    await noteNamed(tx, Object.values(added.objects))
    await tx
      .insertInto('package_versions')
      .values({
        identifier,
        ...versionColumns(added),
        published_at: now,
        published_by: who.handle,
        provenance: provenance === null ? null : JSON.stringify(provenance),
      })
      .execute()
    await refreshPackage(tx, identifier, now)
    await noteChange(
      tx,
      who,
      { ...auditOf(added, provenance), owner, identifier, version: version.version },
      now,
    )
    await markChanged(tx, { owner, visibility, identifier, now })
    return { isNew: true, visibility }
  })
}

/** Takes the identifier for the owner if nobody has it, and holds its row to the end of the transaction. */
async function bindIdentifier(tx: Db<RegistryTables>, added: NewVersion & Candidate, now: Date) {
  const { owner, visibility, metadata } = added
  const { identifier } = metadata
  // Waits for whoever is taking the same identifier, in any spelling, and then does nothing.
  const inserted = await tx
    .insertInto('packages')
    .values({ identifier, owner, visibility, ...packageColumns(added), created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('identifier')
    .executeTakeFirst()
  if (inserted !== undefined) return { isFirst: true, visibility }
  const taken = await findTaken(tx, identifier).forNoKeyUpdate().executeTakeFirstOrThrow()
  await requireFitting(tx, taken, added)
  return { isFirst: false, visibility: taken.visibility }
}

function auditOf({ sourceUrl, objects }: NewVersion, provenance: Provenance | null) {
  const source = provenance === null ? '' : ` from ${provenance.repository} at ${provenance.commit}`
  return sourceUrl === null
    ? ({ action: 'published', detail: `${objects.archive}${source}` } as const)
    : ({ action: 'imported', detail: `${objects.archive} from ${sourceUrl}` } as const)
}
