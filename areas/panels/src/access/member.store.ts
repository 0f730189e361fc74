import { Problem } from '@patchbay/contracts/core'
import { SHARING_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceMember, WorkspaceRef, WorkspaceRole } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { Caller } from '../deps.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { noteAction } from './action.store.ts'
import type { OpenInvitation } from './invitation.ts'
import { isAsMuch, type Member, presentMember } from './member.ts'

export async function findRole(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  personId: string,
): Promise<WorkspaceRole | undefined> {
  const row = await db
    .selectFrom('workspace_members')
    .select('role')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row?.role
}

/** The workspaces of an owner that a person was let into. */
export async function listSharedBy(db: Db<PanelsTables>, owner: string, personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_members')
    .select('repo')
    .where('person_id', '=', personId)
    .where('owner', '=', owner)
    .execute()
  return rows.map(({ repo }) => repo)
}

export async function listMembers(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
): Promise<WorkspaceMember[]> {
  const rows = await db
    .selectFrom('workspace_members')
    .select(['handle', 'role', 'invited_by', 'joined_at'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .orderBy('handle')
    .limit(SHARING_LIMITS.members)
    .execute()
  return rows.map(presentMember)
}

/** Answers whether anything has changed. */
export async function setMember(
  db: Db<PanelsTables>,
  ref: WorkspaceRef,
  { personId, handle, role }: Member & { readonly role: WorkspaceRole },
  caller: Caller,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const revision = await lock(tx, ref)
    const before = await findRole(tx, ref, personId)
    if (before === role) return false
    if (before === undefined) {
      await requirePlace(tx, ref)
      await tx
        .insertInto('workspace_members')
        .values({ ...ref, person_id: personId, handle, role, invited_by: caller.handle, joined_at: now })
        .execute()
    } else {
      await tx
        .updateTable('workspace_members')
        .set({ role })
        .where('owner', '=', ref.owner)
        .where('repo', '=', ref.repo)
        .where('person_id', '=', personId)
        .execute()
    }
    if (before === 'editor') await dropWork(tx, ref, { personId, handle })
    await moveMembersRevision(tx, ref)
    const action = `${before === undefined ? 'member add' : 'member change'} ${handle} ${role}`
    await noteAction(tx, ref, revision, { caller, tabId: null, action }, now)
    return true
  })
}

/** `false`: they are no member. */
export async function removeMember(
  db: Db<PanelsTables>,
  ref: WorkspaceRef,
  handle: string,
  caller: Caller,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const revision = await lock(tx, ref)
    const gone = await tx
      .deleteFrom('workspace_members')
      .where('owner', '=', ref.owner)
      .where('repo', '=', ref.repo)
      .where('handle', '=', handle)
      .returning('person_id')
      .executeTakeFirst()
    if (gone === undefined) return false
    await dropWork(tx, ref, { personId: gone.person_id, handle })
    await moveMembersRevision(tx, ref)
    const action = handle === caller.handle ? 'member leave' : `member remove ${handle}`
    await noteAction(tx, ref, revision, { caller, tabId: null, action }, now)
    return true
  })
}

/**
 * Lets the caller in by an invitation, and takes one use of it: of two people with the last one, one gets in. Whoever may do
 * as much already takes none. `undefined`: the invitation is over.
 */
export async function joinBy(
  db: Db<PanelsTables>,
  { id, owner, repo, role, createdBy }: OpenInvitation,
  caller: Caller,
  now: Date,
): Promise<WorkspaceRole | undefined> {
  const ref = { owner, repo }
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, ref, null)
    if (revision === undefined) return undefined
    const { personId, handle } = caller
    const before = await findRole(tx, ref, personId)
    if (before !== undefined && isAsMuch(before, role)) return before
    if (before === undefined) await requirePlace(tx, ref)
    const used = await tx
      .updateTable('workspace_invitations')
      .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .where('uses_left', '>', 0)
      .returning('uses_left')
      .executeTakeFirst()
    if (used === undefined) return undefined
    if (used.uses_left === 0) await tx.deleteFrom('workspace_invitations').where('id', '=', id).execute()
    await tx
      .insertInto('workspace_members')
      .values({ ...ref, person_id: personId, handle, role, invited_by: createdBy, joined_at: now })
      .onConflict((conflict) => conflict.columns(['owner', 'repo', 'person_id']).doUpdateSet({ role }))
      .execute()
    await moveMembersRevision(tx, ref)
    await noteAction(tx, ref, revision, { caller, tabId: null, action: `member join ${role}` }, now)
    return role
  })
}

/** Whoever changes who may do what holds the row of the workspace, as does whoever acts: nothing comes in between. */
async function lock(tx: Db<PanelsTables>, ref: WorkspaceRef): Promise<number> {
  const revision = await moveRevision(tx, ref, null)
  if (revision === undefined) throw new Problem('workspace_not_found')
  return revision
}

async function requirePlace(tx: Db<PanelsTables>, { owner, repo }: WorkspaceRef): Promise<void> {
  const { count } = await tx
    .selectFrom('workspace_members')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirstOrThrow()
  if (count >= SHARING_LIMITS.members)
    throw new Problem('limit_reached', {
      detail: `A workspace can be shared with ${SHARING_LIMITS.members} people.`,
    })
}

async function moveMembersRevision(tx: Db<PanelsTables>, { owner, repo }: WorkspaceRef): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set((row) => ({ members_revision: row('members_revision', '+', 1) }))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .execute()
}

/** What somebody has begun who may change nothing anymore: code that waits, and the right to load pages. */
async function dropWork(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { personId, handle }: Member,
): Promise<void> {
  await tx
    .deleteFrom('proxy_tickets')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('person_id', '=', personId)
    .execute()
  await tx
    .deleteFrom('sandbox_evals')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('status', '=', 'queued')
    .where('credential_id', 'in', (row) =>
      row
        .selectFrom('workspace_actors')
        .select('credential_id')
        .where('owner', '=', owner)
        .where('repo', '=', repo)
        .where('handle', '=', handle),
    )
    .execute()
}
