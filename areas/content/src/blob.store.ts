import { Problem } from '@patchbay/contracts/core'
import { FILE_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ObjectRefused } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { lockContent } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import type { ContentTables } from './tables.ts'

type BlobDeps = Pick<ContentDeps, 'db' | 'objects' | 'clock'>

/** Far more than the store takes to answer, or to give up: a deletion that has not ended by then ended with its node. */
const DELETION_MS = 10 * 60_000

/** Deletions that began before are over. */
export const deletionsOverUntil = (now: Date) => new Date(now.getTime() - DELETION_MS)

/**
 * Until the transaction ends, nobody else notes these bytes as somebody's or deletes them as nobody's: a workspace may
 * upload what another one has just given up.
 */
async function lockObject(tx: Db<ContentTables>, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`content ${sha256}`}, 0))`.execute(tx)
}

/** Stores what arrives and notes it as the workspace's. */
export async function storeBytes(
  deps: BlobDeps & Pick<ContentDeps, 'settings'>,
  at: WorkspaceRef,
  source: AsyncIterable<Uint8Array>,
  expectedSha256?: string,
): Promise<{ readonly sha256: string }> {
  const stored = await deps.objects
    .put(source, {
      maxBytes: FILE_LIMITS.fileBytes,
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof ObjectRefused)) throw error
      throw new Problem(error.reason === 'too_large' ? 'body_too_large' : 'content_mismatch', {
        cause: error,
      })
    })
  await noteBlob(deps, at, stored).catch(async (error: unknown) => {
    // Bytes that were refused must not stay on the disk for a day: that would be room which no limit counts.
    if (stored.created) await deleteObject(deps, stored.sha256).catch(() => undefined)
    throw error
  })
  return stored
}

/** Notes that a workspace has bytes which were just put into the store. */
async function noteBlob(
  { db, objects, settings, clock }: BlobDeps & Pick<ContentDeps, 'settings'>,
  at: WorkspaceRef,
  { sha256, size }: { readonly sha256: string; readonly size: number },
): Promise<void> {
  await inTransaction(db, (tx) => noteBlobs(tx, { objects, settings, clock }, at, [{ sha256, size }]))
}

/** The same for several, in a transaction of somebody else. */
export async function noteBlobs(
  tx: Db<ContentTables>,
  { objects, settings, clock }: Omit<BlobDeps, 'db'> & Pick<ContentDeps, 'settings'>,
  at: WorkspaceRef,
  blobs: readonly { readonly sha256: string; readonly size: number }[],
): Promise<void> {
  // All of them before the lock of the owner, and in one order: two that wait for each other would wait forever.
  for (const sha256 of blobs.map((blob) => blob.sha256).toSorted()) {
    await lockObject(tx, sha256)
    // They were somebody else's, and given up while these were on their way.
    if ((await isBeingDeleted(tx, sha256, clock.now())) || (await objects.stat(sha256)) === undefined)
      throw new Problem('objects_unavailable', { detail: 'The upload got lost. Send it again.' })
  }
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contents of ${at.owner}`}, 0))`.execute(tx)
  const { id } = await lockContent(tx, at)
  for (const { sha256, size } of blobs) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('content_blobs')
      .values({ content_id: id, sha256, size, stored_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['content_id', 'sha256']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) {
      // Its time begins anew: whoever uploads them again is about to name them.
      await tx
        .updateTable('content_blobs')
        .set({ stored_at: clock.now() })
        .where('content_id', '=', id)
        .where('sha256', '=', sha256)
        .where('is_named', '=', false)
        .execute()
      continue
    }
    const { rows } = await sql<{ total: number; quota: number | null }>`
      select coalesce(sum(stored_bytes), 0)::bigint as total,
        (select bytes from content_quotas where content_quotas.owner = ${at.owner}) as quota
      from contents where owner = ${at.owner}`.execute(tx)
    const quota = rows[0]?.quota ?? settings.ownerBytes
    if ((rows[0]?.total ?? 0) + size > quota)
      throw new Problem('limit_reached', {
        detail: `The files of ${at.owner} and their history can take ${Math.floor(quota / 1024 ** 3)} GiB.`,
      })
    await tx
      .updateTable('contents')
      .set((row) => ({ stored_bytes: row('stored_bytes', '+', size) }))
      .where('id', '=', id)
      .execute()
  }
}

/** The sizes of those contents that the workspace has. */
export async function findBlobs(
  db: Db<ContentTables>,
  contentId: number | undefined,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('content_blobs')
    .select(['sha256', 'size'])
    .where('content_id', '=', contentId ?? -1)
    .where('sha256', '=', (row) => row.fn.any(row.val([...hashes])))
    .execute()
  return new Map(rows.map(({ sha256, size }) => [sha256, size]))
}

async function isBeingDeleted(tx: Db<ContentTables>, sha256: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with over as (
      delete from content_deletions
      where sha256 = ${sha256} and begun_at <= ${deletionsOverUntil(now)}::timestamptz
    )
    select from content_deletions
    where sha256 = ${sha256} and begun_at > ${deletionsOverUntil(now)}::timestamptz`.execute(tx)
  return rows.length > 0
}

/**
 * Deletes bytes that are nobody's. The lock alone would not do: a node that loses it with its connection, or is stopped for a
 * while, still deletes, and would take the bytes from whoever was told meanwhile that they have them.
 */
export async function deleteObject({ db, objects, clock }: BlobDeps, sha256: string): Promise<void> {
  const begunAt = clock.now()
  const isBegun = await inTransaction(db, async (tx) => {
    await lockObject(tx, sha256)
    const { rows } = await sql`
      insert into content_deletions as deletion (sha256, begun_at)
      select ${sha256}, ${begunAt}::timestamptz
      where not exists (select from content_blobs where sha256 = ${sha256})
      on conflict (sha256) do update set begun_at = excluded.begun_at
        where deletion.begun_at <= ${deletionsOverUntil(begunAt)}::timestamptz
      returning 1`.execute(tx)
    return rows.length > 0
  })
  if (!isBegun) return
  await objects.delete(sha256)
  await db
    .deleteFrom('content_deletions')
    .where('sha256', '=', sha256)
    .where('begun_at', '=', begunAt)
    .execute()
}
