import type { Db } from './database.ts'
import type { Installation, KernelTables } from './installation.ts'

export async function findInstallation(db: Db<KernelTables>): Promise<Installation | undefined> {
  const row = await db.selectFrom('installation').select(['id', 'created_at']).executeTakeFirst()
  return row === undefined ? undefined : { id: row.id, createdAt: row.created_at }
}

/**
 * The update changes nothing. Without it, `on conflict do nothing` would return no row to whoever came second, and a
 * select beside it would not see a row that was committed a moment after it began.
 */
export async function findOrCreateInstallation(db: Db<KernelTables>): Promise<Installation> {
  const row = await db
    .insertInto('installation')
    .defaultValues()
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet({ singleton: true }))
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  return { id: row.id, createdAt: row.created_at }
}
