import { Problem } from '@patchbay/contracts/core'
import type { Visibility } from '@patchbay/contracts/registry'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { noteChange } from '../audit/audit.store.ts'
import type { Publisher } from '../deps.ts'
import type { RegistryTables } from '../tables.ts'
import { markChanged } from './feed-changes.store.ts'

interface Changed {
  readonly identifier: string
  readonly owner: string
  readonly visibility: Visibility
}

/** Takes a package down. One that is quarantined already keeps its time and gets the reason. */
export async function quarantinePackage(
  db: Db<RegistryTables>,
  who: Publisher,
  identifier: string,
  reason: string,
  now: Date,
): Promise<Changed> {
  return await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('packages')
      .set({
        quarantined_at: sql<Date>`coalesce(quarantined_at, ${now})`,
        quarantine_reason: reason,
        was_listed: sql<boolean>`coalesce(was_listed, is_listed)`,
        is_listed: false,
        updated_at: now,
      })
      .where('identifier', '=', identifier)
      .returning(['identifier', 'owner', 'visibility'])
      .executeTakeFirst()
    if (changed === undefined) throw new Problem('package_not_found')
    await note(tx, who, changed, 'quarantined', reason, now)
    return changed
  })
}

/** Gives a package back as its owner had it. One that is not quarantined is left alone. */
export async function releasePackage(
  db: Db<RegistryTables>,
  who: Publisher,
  identifier: string,
  now: Date,
): Promise<Changed | undefined> {
  return await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('packages')
      .set({
        quarantined_at: null,
        quarantine_reason: null,
        is_listed: sql<boolean>`coalesce(was_listed, true)`,
        was_listed: null,
        updated_at: now,
      })
      .where('identifier', '=', identifier)
      .where('quarantined_at', 'is not', null)
      .returning(['identifier', 'owner', 'visibility'])
      .executeTakeFirst()
    if (changed !== undefined) {
      await note(tx, who, changed, 'released', '', now)
      return changed
    }
    const known = await tx
      .selectFrom('packages')
      .select('identifier')
      .where('identifier', '=', identifier)
      .executeTakeFirst()
    if (known === undefined) throw new Problem('package_not_found')
    return undefined
  })
}

/** Every package that belongs to somebody. Answers how many were not quarantined before. */
export async function quarantineOwner(
  db: Db<RegistryTables>,
  who: Publisher,
  owner: string,
  reason: string,
  now: Date,
): Promise<number> {
  const waiting = await db
    .selectFrom('packages')
    .select('identifier')
    .where('owner', '=', owner)
    .where('quarantined_at', 'is', null)
    .orderBy('identifier')
    .execute()
  // One by one: a single transaction over thousands would keep publishers of other owners waiting.
  for (const { identifier } of waiting) await quarantinePackage(db, who, identifier, reason, now)
  return waiting.length
}

async function note(
  tx: Db<RegistryTables>,
  who: Publisher,
  { identifier, owner, visibility }: Changed,
  action: 'quarantined' | 'released',
  detail: string,
  now: Date,
): Promise<void> {
  await noteChange(tx, who, { action, owner, identifier, version: null, detail }, now)
  await markChanged(tx, { owner, visibility, identifier, now })
}
