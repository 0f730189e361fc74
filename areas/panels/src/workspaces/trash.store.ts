import { Problem } from '@patchbay/contracts/core'
import type { TrashedWorkspace, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { requireNotEnded } from '../access/action.store.ts'
import type { Caller } from '../deps.ts'
import { lockOwner, moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { findWorkspace } from './workspace.store.ts'
import type { WorkspacePosition } from './workspace-list.ts'

const KEPT_MS = 30 * 24 * 60 * 60_000

export const trashedSince = (now: Date) => new Date(now.getTime() - KEPT_MS)

/** No name of a workspace has this sign: nothing that is asked over the wire finds what is called so. */
const nameInTrash = (id: string) => `~${id}`

/**
 * Takes a workspace away from under its name, with all that belongs to it; `false` if it is not there. Under the lock that
 * whoever ends an access takes: `admit` may have looked a moment too early.
 */
export async function trashWorkspace(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { id, caller, now }: { readonly id: string; readonly caller: Caller; readonly now: Date },
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    if ((await moveRevision(tx, { owner, repo }, null)) === undefined) return false
    await requireNotEnded(tx, { owner, repo }, caller)
    // These are found by themselves: a page that is open must not go on, nor code begin that was sent to it.
    for (const table of ['proxy_tickets', 'sandbox_evals'] as const)
      await tx.deleteFrom(table).where('owner', '=', owner).where('repo', '=', repo).execute()
    // Their rows stay until their objects are deleted, and would be found for a day.
    await tx
      .updateTable('captures')
      .set({ expires_at: now })
      .where('owner', '=', owner)
      .where('repo', '=', repo)
      .where('expires_at', '>', now)
      .execute()
    await moveWorkspace(tx, { owner, repo }, nameInTrash(id), { trashedAt: now, trashedRepo: repo })
    return true
  })
}

/** Under its name, or another one. */
export async function restoreWorkspace(
  db: Db<PanelsTables>,
  owner: string,
  { id, repo, now }: { readonly id: string; readonly repo: string | undefined; readonly now: Date },
): Promise<WorkspaceRef> {
  return await inTransaction(db, async (tx) => {
    await lockOwner(tx, owner)
    const row = await tx
      .selectFrom('workspaces')
      .select('trashed_repo as name')
      .where('owner', '=', owner)
      .where('repo', '=', nameInTrash(id))
      .where('trashed_at', '>', trashedSince(now))
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || row.name === null) throw new Problem('workspace_not_found')
    const at = { owner, repo: repo ?? row.name }
    if ((await findWorkspace(tx, at)) !== undefined)
      throw new Problem('workspace_exists', { extensions: { repo: at.repo } })
    await moveWorkspace(tx, { owner, repo: nameInTrash(id) }, at.repo, { trashedAt: null, trashedRepo: null })
    return at
  })
}

/** For good. Its files go with it, in small steps. */
export async function deleteTrashed(db: Db<PanelsTables>, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('workspaces')
    .where('owner', '=', owner)
    .where('repo', '=', nameInTrash(id))
    .where('trashed_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The last deleted first. */
export async function listTrashed(
  db: Db<PanelsTables>,
  owner: string,
  {
    after,
    limit,
    now,
  }: { readonly after: WorkspacePosition | undefined; readonly limit: number; readonly now: Date },
): Promise<{
  readonly items: readonly TrashedWorkspace[]
  readonly nextAfter: WorkspacePosition | undefined
}> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['repo', 'trashed_repo', 'tab_count', 'trashed_at'])
    .where('owner', '=', owner)
    .where('trashed_at', '>', trashedSince(now))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(trashed_at < ${after?.changedAt} or (trashed_at = ${after?.changedAt} and repo > ${nameInTrash(after?.repo ?? '')}))`,
      ),
    )
    .orderBy('trashed_at', 'desc')
    .orderBy('repo')
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit).map(({ repo, trashed_repo: name, tab_count: tabs, trashed_at: at }) => ({
    id: repo.slice(1),
    owner,
    repo: name ?? '',
    tabs,
    deletedAt: (at ?? now).toISOString(),
    goneAt: new Date((at ?? now).getTime() + KEPT_MS).toISOString(),
  }))
  const last = items.at(-1)
  const isMore = rows.length > limit && last !== undefined
  return { items, nextAfter: isMore ? { changedAt: new Date(last.deletedAt), repo: last.id } : undefined }
}

/**
 * Gives a workspace another name. A copy of its row takes everything over that refers to it, whatever table it is in and
 * whichever area's: the database knows all of them, and a table or a column that is added later is not forgotten.
 */
async function moveWorkspace(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  to: string,
  { trashedAt, trashedRepo }: { readonly trashedAt: Date | null; readonly trashedRepo: string | null },
): Promise<void> {
  const changed = JSON.stringify({ repo: to, trashed_at: trashedAt, trashed_repo: trashedRepo })
  await sql`
    insert into workspaces
    select (jsonb_populate_record(workspace, ${changed}::jsonb)).* from workspaces as workspace
    where owner = ${owner} and repo = ${repo}`.execute(tx)
  const { rows } = await sql<{ name: string }>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'workspaces'::regclass order by 1`.execute(tx)
  for (const { name } of rows)
    await sql`update ${sql.raw(name)} set repo = ${to} where owner = ${owner} and repo = ${repo}`.execute(tx)
  await tx.deleteFrom('workspaces').where('owner', '=', owner).where('repo', '=', repo).execute()
}
