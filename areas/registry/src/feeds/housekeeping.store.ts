import type { Clock } from '@patchbay/kernel/clock'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistrySettings } from '../deps.ts'
import { removeLoose } from '../packages/loose-objects.store.ts'
import type { RegistryTables } from '../tables.ts'
import { lockIndex } from './index-lock.store.ts'

export interface HousekeepingDeps {
  readonly db: Db<RegistryTables>
  readonly objects: ObjectStore
  readonly clock: Clock
  readonly settings: Pick<RegistrySettings, 'auditKeptDays'>
}

/** For whoever still has an older repository.json. */
const FILES_KEPT_MS = 24 * 3_600_000
const METADATA_KEPT_MS = 3_600_000
const FILES_PER_ROUND = 20
const LOOSE_PER_ROUND = 20
const METADATA_PER_ROUND = 1_000
const ENTRIES_PER_ROUND = 1_000
const DAY_MS = 24 * 3_600_000

export interface HousekeepingBounds {
  readonly longestMs: number
  readonly mostFiles: number
}

const BOUNDS: HousekeepingBounds = { longestMs: 200, mostFiles: 500 }

/** Removes what nothing has named for long. Builds wait meanwhile, so it ends early; `false`: something is left. */
export async function keepHouse(
  { db, objects, clock, settings }: HousekeepingDeps,
  { longestMs, mostFiles }: HousekeepingBounds = BOUNDS,
): Promise<boolean> {
  const now = clock.now().getTime()
  const endAt = performance.now() + longestMs
  const metadata = await removeTrustMetadata(db, new Date(now - METADATA_KEPT_MS))
  const entries = await removeAudit(db, new Date(now - settings.auditKeptDays * DAY_MS))
  const until = new Date(now - FILES_KEPT_MS)
  const loose = await removeLoose(db, objects, until, LOOSE_PER_ROUND)
  const isRestClean = metadata < METADATA_PER_ROUND && entries < ENTRIES_PER_ROUND && loose < LOOSE_PER_ROUND
  for (let removed = 0; removed < mostFiles; ) {
    const files = await removeFeedFiles(db, objects, until)
    if (files < FILES_PER_ROUND) return isRestClean
    removed += files
    if (performance.now() > endAt) return false
  }
  return false
}

/**
 * Under the lock of the index: a build that is about to name the same bytes again looks whether the objects are there
 * under the same lock, and so either comes first and keeps them, or comes later and puts them again.
 */
async function removeFeedFiles(db: Db<RegistryTables>, objects: ObjectStore, until: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockIndex(tx)
    const { rows } = await sql<{ sha256: string; encodings: Record<string, string> }>`
      delete from feed_files where (sha256, name, owner, visibility) in (
        select sha256, name, owner, visibility from feed_files where replaced_at <= ${until}
        order by replaced_at limit ${FILES_PER_ROUND})
      returning sha256, encodings`.execute(tx)
    if (rows.length === 0) return 0
    const gone = rows.map(({ sha256 }) => sha256)
    const { rows: needed } = await sql<{ sha256: string }>`
      select sha256 from feed_files where sha256 = any(${gone}::text[])
      union select archive_sha256 from package_versions where archive_sha256 = any(${gone}::text[])`.execute(
      tx,
    )
    const kept = new Set(needed.map(({ sha256 }) => sha256))
    for (const { sha256, encodings } of rows) {
      if (kept.has(sha256)) continue
      for (const object of [sha256, ...Object.values(encodings)]) {
        // Fails once the connection, and with it the lock, is gone: nothing may be deleted without it.
        await sql`select 1`.execute(tx)
        await objects.delete(object)
      }
    }
    return rows.length
  })
}

async function removeTrustMetadata(db: Db<RegistryTables>, until: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from trust_metadata where file in (
      select file from trust_metadata where replaced_at <= ${until}
      order by replaced_at limit ${METADATA_PER_ROUND})`.execute(db)
  return Number(numAffectedRows)
}

/** By the key of the table, whose order is that of time: an index by time would cost every publication, for this alone. */
async function removeAudit(db: Db<RegistryTables>, until: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from registry_audit where id in (
      select id from (select id, at from registry_audit order by id limit ${ENTRIES_PER_ROUND}) as oldest
      where at <= ${until})`.execute(db)
  return Number(numAffectedRows)
}
