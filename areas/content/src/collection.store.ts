import { DOCUMENT_LIMITS, FILE_LIMITS } from '@patchbay/contracts/limits'
import { createSweeper, type Sweeper } from '@patchbay/kernel/lifecycle'
import { inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { deleteObject, deletionsOverUntil } from './blob.store.ts'
import type { ContentDeps } from './deps.ts'

const INTERVAL_MS = 10 * 60_000
const BATCH = 500
/** What is left waits for the next sweep. */
const MOST_BATCHES = 100
const OBJECTS_PER_PAGE = 1_000
/** Of the store, in one sweep: the next one goes on where this one ended. */
const PAGES_PER_SWEEP = 20

/** Deletes what nobody names anymore. */
export function createCollection(deps: Pick<ContentDeps, 'db' | 'objects' | 'clock' | 'log'>): Sweeper {
  const { db, objects, clock, log } = deps
  let lastListed: string | undefined

  const graceEnd = () => new Date(clock.now().getTime() - FILE_LIMITS.unnamedMs)

  /** `step` answers whether there may be more to do. */
  const inBatches = async (step: () => Promise<boolean>): Promise<void> => {
    for (let batch = 0; batch < MOST_BATCHES && !sweeper.stopping.aborted; batch += 1)
      if (!(await step())) return
  }

  /** Their rows first, under the lock that every change takes: a change that has seen a row keeps it. */
  const dropUnnamed = async (): Promise<boolean> => {
    const { rows: found } = await sql<{ id: number }>`
      select distinct content_id as id from (
        select content_id from content_blobs
        where not is_named and stored_at <= ${graceEnd()}::timestamptz
        order by stored_at limit ${BATCH}) as blob`.execute(db)
    for (const { id } of found) {
      const dropped = await inTransaction(db, async (tx) => {
        await sql`select 1 from contents where id = ${id} for update`.execute(tx)
        const { rows } = await sql<{ sha256: string; size: number }>`
          delete from content_blobs
          where content_id = ${id} and not is_named and stored_at <= ${graceEnd()}::timestamptz
          returning sha256, size`.execute(tx)
        const bytes = rows.reduce((all, { size }) => all + size, 0)
        await sql`update contents set stored_bytes = stored_bytes - ${bytes} where id = ${id}`.execute(tx)
        return rows
      })
      for (const { sha256 } of dropped) await deleteObject(deps, sha256)
    }
    return found.length > 0
  }

  /** Of workspaces that were removed: everything, in small steps, the row that names it last. */
  const dropRemoved = async (): Promise<boolean> => {
    const { rows: removed } = await sql<{ id: number }>`
      select id from contents where owner is null order by id limit 20`.execute(db)
    for (const { id } of removed) {
      for (const table of ['content_documents', 'content_files', 'content_versions', 'content_changes'])
        await drop(table, id)
      await inBatches(async () => {
        const { rows } = await sql<{ sha256: string }>`
          delete from content_blobs where content_id = ${id} and sha256 in (
            select sha256 from content_blobs where content_id = ${id} limit ${BATCH})
          returning sha256`.execute(db)
        for (const { sha256 } of rows) await deleteObject(deps, sha256)
        return rows.length === BATCH
      })
      // What is still there after so many steps keeps its row until the next sweep.
      await sql`
        delete from contents where id = ${id}
          and not exists (select from content_documents where content_id = ${id})
          and not exists (select from content_files where content_id = ${id})
          and not exists (select from content_versions where content_id = ${id})
          and not exists (select from content_changes where content_id = ${id})
          and not exists (select from content_blobs where content_id = ${id})`.execute(db)
    }
    return removed.length === 20
  }

  const drop = (table: string, id: number) =>
    inBatches(async () => {
      const name = sql.table(table)
      const { numAffectedRows = 0n } = await sql`
        delete from ${name} where ctid = any(array(
          select ctid from ${name} where content_id = ${id} limit ${BATCH * 10}))`.execute(db)
      return numAffectedRows === BigInt(BATCH * 10)
    })

  /** Changes beyond those that are kept: what the oldest kept one found stays, so that every state after it can be read. */
  const forgetHistory = async (): Promise<boolean> => {
    const { rows: long } = await sql<{ id: number }>`
      select id from contents where owner is not null
        and revision - forgotten_revision > ${FILE_LIMITS.changesKept} limit 20`.execute(db)
    for (const { id } of long)
      await inTransaction(db, async (tx) => {
        const { rows } = await sql<{ until: number }>`
          select least(revision - ${FILE_LIMITS.changesKept}, forgotten_revision + ${BATCH * 10}) as until
          from contents where id = ${id} for update`.execute(tx)
        const until = rows[0]?.until ?? 0
        await sql`
          delete from content_versions as version
          where content_id = ${id} and revision <= ${until} and (
            sha256 is null or exists (
              select from content_versions as later where later.content_id = ${id} and later.path = version.path
                and later.revision > version.revision and later.revision <= ${until}))`.execute(tx)
        // The last one stays: it stands for everything before it.
        await sql`delete from content_changes where content_id = ${id} and revision < ${until}`.execute(tx)
        await sql`update contents set forgotten_revision = ${until} where id = ${id}`.execute(tx)
        await sql`
          update content_blobs as blob set is_named = false, stored_at = ${clock.now()}::timestamptz
          where content_id = ${id} and is_named and not exists (
            select from content_versions as version
            where version.content_id = ${id} and version.sha256 = blob.sha256)`.execute(tx)
      })
    return long.length > 0
  }

  /** What a node began to delete before it ended. */
  const finishDeletions = async (): Promise<void> => {
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from content_deletions
      where begun_at <= ${deletionsOverUntil(clock.now())}::timestamptz limit ${BATCH}`.execute(db)
    for (const { sha256 } of rows) await deleteObject(deps, sha256)
  }

  /** Bytes of uploads that ended before anybody noted whose they are. */
  const dropUnknown = async (): Promise<void> => {
    for (let page = 0; page < PAGES_PER_SWEEP && !sweeper.stopping.aborted; page += 1) {
      const { objects: listed, next } = await objects.list({
        limit: OBJECTS_PER_PAGE,
        ...(lastListed === undefined ? {} : { after: lastListed }),
      })
      const old = listed.filter(({ storedAt }) => storedAt <= graceEnd()).map(({ sha256 }) => sha256)
      const { rows } = await sql<{ sha256: string }>`
        select sha256 from unnest(${old}::text[]) as object (sha256)
        where not exists (select from content_blobs as blob where blob.sha256 = object.sha256)`.execute(db)
      for (const { sha256 } of rows) await deleteObject(deps, sha256)
      lastListed = next
      if (next === undefined) return
    }
  }

  /** Edits that the file has, once every editor that was away has missed its time, and documents that nobody edits. */
  const dropEdits = async (): Promise<boolean> => {
    const until = (ms: number) => new Date(clock.now().getTime() - ms)
    const { numAffectedRows = 0n } = await sql`
      delete from content_edits where ctid = any(array(
        select edit.ctid from content_edits as edit join content_documents as document on document.id = edit.document_id
        where edit.at <= ${until(DOCUMENT_LIMITS.editsKeptMs)}::timestamptz and edit.version <= document.saved_version
        order by edit.at limit ${BATCH * 10}))`.execute(db)
    return numAffectedRows === BigInt(BATCH * 10)
  }

  const dropDocuments = async (): Promise<boolean> => {
    const { numAffectedRows = 0n } = await sql`
      delete from content_documents where id in (
        select id from content_documents
        where changed_at <= ${new Date(clock.now().getTime() - DOCUMENT_LIMITS.keptMs)}::timestamptz
          and version = saved_version
        order by changed_at limit ${BATCH} for update skip locked)`.execute(db)
    return numAffectedRows === BigInt(BATCH)
  }

  const sweeper = createSweeper(
    { intervalMs: INTERVAL_MS, log, failure: 'file collection failed, retrying later' },
    async () => {
      await inBatches(dropRemoved)
      await inBatches(dropEdits)
      await inBatches(dropDocuments)
      await inBatches(forgetHistory)
      await inBatches(dropUnnamed)
      await finishDeletions()
      await dropUnknown()
    },
  )
  return sweeper
}
