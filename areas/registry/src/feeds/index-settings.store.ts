import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import { lockIndex } from './index-lock.store.ts'
import { takeLease } from './lease.store.ts'

const SETTINGS = 'settings'
/** How long nodes with other settings leave the index to those that started last. */
const SECONDS = 30
const PROLONGED_MS = 5_000
const ASKED_AGAIN_MS = 1_000

export interface IndexSettings {
  /**
   * Whether this node builds and signs. The settings of the node that started last count: two that differ would rebuild
   * each other's feeds forever. Once no node with those has been heard of for a while, others take over.
   */
  areOurs(): Promise<boolean>
}

export function createIndexSettings(
  db: Db<RegistryTables>,
  fingerprint: string,
  isSigned: boolean,
): IndexSettings {
  let hasStarted = false
  let wereOurs = false
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    async areOurs() {
      const now = performance.now()
      if (now - askedAt < (wereOurs ? PROLONGED_MS : ASKED_AGAIN_MS)) return wereOurs
      const areStill = wereOurs && (await prolong(db, fingerprint))
      const areOurs = areStill || (await takeSettings(db, fingerprint, { isForced: !hasStarted }))
      hasStarted = true
      if (areOurs && !areStill) await markOthers(db, fingerprint, isSigned)
      wereOurs = areOurs
      askedAt = now
      return areOurs
    },
  }
}

async function takeSettings(
  db: Db<RegistryTables>,
  fingerprint: string,
  { isForced }: { readonly isForced: boolean },
): Promise<boolean> {
  // Not between the look of a commit at them and its end.
  return inTransaction(db, async (tx) => {
    await lockIndex(tx)
    if (isForced) await tx.deleteFrom('index_leases').where('name', '=', SETTINGS).execute()
    const lease = { name: SETTINGS, holder: fingerprint, seconds: SECONDS }
    return (await takeLease(tx, lease)) !== undefined
  })
}

/** Without the lock, which is busy: nobody had them meanwhile. */
async function prolong(db: Db<RegistryTables>, fingerprint: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('index_leases')
    .set({ until: sql`clock_timestamp() + make_interval(secs => ${SECONDS})` })
    .where('name', '=', SETTINGS)
    .where('holder', '=', fingerprint)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Under the lock of the index: whether a node with other settings has started since. */
export async function areSettingsOf(tx: Db<RegistryTables>, fingerprint: string): Promise<boolean> {
  const row = await tx
    .selectFrom('index_leases')
    .select('holder')
    .where('name', '=', SETTINGS)
    .executeTakeFirst()
  return row === undefined || row.holder === fingerprint
}

/** What was made with other settings is made again. Each is marked once, however often a node starts. */
async function markOthers(db: Db<RegistryTables>, fingerprint: string, isSigned: boolean): Promise<void> {
  await sql`
    update feeds set revision = greatest(revision, built_revision + 1),
      looked_at = case when is_too_large then to_timestamp(0) else looked_at end
    where fingerprint is distinct from ${fingerprint} and (built_revision = revision or is_too_large)`.execute(
    db,
  )
  if (!isSigned) return
  await sql`
    insert into sparse_marks (identifier, marked_at)
    select identifier, to_timestamp(0) from packages p
    where visibility = 'public' and not exists (
      select from sparse_files s where s.identifier = p.identifier and s.fingerprint = ${fingerprint})
    on conflict do nothing`.execute(db)
}
