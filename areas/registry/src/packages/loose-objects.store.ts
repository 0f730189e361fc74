import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'

/**
 * Says that perhaps nothing names these objects: before they are stored, or when what named them goes. Waits while one of
 * them is being removed, so that whoever stores it afterwards stores it anew.
 */
export async function noteLoose(
  db: Db<RegistryTables>,
  objects: readonly (string | null)[],
  now: Date,
): Promise<void> {
  // In one order: two that note the same would otherwise wait for each other.
  const sorted = [...new Set(objects.filter((object) => object !== null))].toSorted()
  await db
    .insertInto('loose_objects')
    .values(sorted.map((sha256) => ({ sha256, since: now })))
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ since: now }))
    .execute()
}

/** In the transaction that names them. */
export async function noteNamed(tx: Db<RegistryTables>, objects: readonly (string | null)[]): Promise<void> {
  await sql`
    delete from loose_objects where sha256 in (
      select sha256 from loose_objects where sha256 = any(${objects}::text[]) order by sha256 for update)`.execute(
    tx,
  )
}

/** Removes some of the objects that were noted before `until` and that nothing names. Answers how many notes are gone. */
export async function removeLoose(
  db: Db<RegistryTables>,
  objects: ObjectStore,
  until: Date,
  most: number,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ sha256: string; is_named: boolean }>`
      select sha256, (
        exists (select from package_versions where archive_sha256 = loose.sha256 or manifest_sha256 = loose.sha256
          or package_icon_sha256 = loose.sha256)
        or exists (select from packages where icon_sha256 = loose.sha256)
        or exists (select from feed_files where feed_files.sha256 = loose.sha256)) as is_named
      from loose_objects as loose where since <= ${until}::timestamptz
      order by since limit ${most} for update skip locked`.execute(tx)
    for (const { sha256, is_named: isNamed } of rows) {
      if (isNamed) continue
      // Fails once the connection, and with it the lock, is gone: nothing may be deleted without it.
      await sql`select 1`.execute(tx)
      await objects.delete(sha256)
    }
    const gone = rows.map(({ sha256 }) => sha256)
    await sql`delete from loose_objects where sha256 = any(${gone}::text[])`.execute(tx)
    return rows.length
  })
}
