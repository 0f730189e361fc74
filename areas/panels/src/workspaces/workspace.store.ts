import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { tabs } from '@patchbay/workspace-layout'
import { sql } from 'kysely'
import type { Workspace } from '../access/workspace.ts'
import { lockOwner } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import type { NewWorkspace } from './template.ts'
import type { WorkspacePage, WorkspacePosition } from './workspace-list.ts'

/** As many as one owner may have, those in the trash among them: deleting and making anew would have no end otherwise. */
const WORKSPACES_PER_OWNER = 1_000

/** Pages take what has the revision 0 for what was never stored. */
const FIRST_REVISION = 1

export async function findWorkspace(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
): Promise<Workspace | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select(['version', 'layout', 'state_revision', 'created_at', 'changed_at'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { version, layout, state_revision: stateRevision, created_at: createdAt, changed_at: changedAt } = row
  return { owner, repo, version, layout, stateRevision, createdAt, changedAt }
}

/**
 * Answers whether it was made now; one that is there stays as it is. Under the lock of the owner: workspaces that are made
 * at once would each count all but the others.
 */
export async function makeWorkspace(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { layout, states, fill }: NewWorkspace,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    await lockOwner(tx, owner)
    if ((await findWorkspace(tx, { owner, repo })) !== undefined) return false
    const { count } = await tx
      .selectFrom('workspaces')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (count >= WORKSPACES_PER_OWNER)
      throw new Problem('limit_reached', { detail: `An owner may have ${WORKSPACES_PER_OWNER} workspaces.` })
    await tx
      .insertInto('workspaces')
      .values({
        owner,
        repo,
        version: 0,
        layout: JSON.stringify(layout),
        tab_count: tabs(layout).length,
        state_revision: states.size === 0 ? 0 : FIRST_REVISION,
        created_at: now,
        changed_at: now,
      })
      .execute()
    for (const [tabId, state] of states)
      await tx
        .insertInto('panel_states')
        .values({ owner, repo, tab_id: tabId, state: JSON.stringify(state), revision: FIRST_REVISION })
        .execute()
    await fill?.(tx)
    return true
  })
}

/** The last changed first. */
export async function listWorkspaces(
  db: Db<PanelsTables>,
  owner: string,
  { after, limit }: { readonly after: WorkspacePosition | undefined; readonly limit: number },
): Promise<WorkspacePage> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['repo', 'version', 'tab_count as tabs', 'created_at as createdAt', 'changed_at as changedAt'])
    .where('owner', '=', owner)
    .where('trashed_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(changed_at < ${after?.changedAt} or (changed_at = ${after?.changedAt} and repo > ${after?.repo}))`,
      ),
    )
    .orderBy('changed_at', 'desc')
    .orderBy('repo')
    .limit(limit + 1)
    .execute()
  const workspaces = rows.slice(0, limit).map((row) => ({ owner, ...row }))
  return { workspaces, nextAfter: rows.length > limit ? workspaces.at(-1) : undefined }
}
