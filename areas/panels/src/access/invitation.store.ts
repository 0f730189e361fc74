import { Problem } from '@patchbay/contracts/core'
import { SHARING_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { Caller } from '../deps.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { noteAction } from './action.store.ts'
import { hashSecret, type OpenInvitation } from './invitation.ts'

const KEPT = [
  'id',
  'owner',
  'repo',
  'role',
  'created_by as createdBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'uses_left as usesLeft',
] as const

/** Looks without using it. `undefined`: there is none, or it is over. */
export async function findInvitation(
  db: Db<PanelsTables>,
  secret: string,
  now: Date,
): Promise<OpenInvitation | undefined> {
  return await db
    .selectFrom('workspace_invitations')
    .select(KEPT)
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0)
    // It goes into the trash with its workspace, and comes back with it.
    .where((row) =>
      row.exists(
        row
          .selectFrom('workspaces')
          .select('workspaces.repo')
          .whereRef('workspaces.owner', '=', 'workspace_invitations.owner')
          .whereRef('workspaces.repo', '=', 'workspace_invitations.repo')
          .where('workspaces.trashed_at', 'is', null),
      ),
    )
    .executeTakeFirst()
}

/** The newest first. */
export async function listInvitations(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  now: Date,
): Promise<OpenInvitation[]> {
  return await db
    .selectFrom('workspace_invitations')
    .select(KEPT)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(SHARING_LIMITS.invitations)
    .execute()
}

export type NewInvitation = Pick<OpenInvitation, 'id' | 'role' | 'createdAt' | 'expiresAt' | 'usesLeft'> & {
  readonly secret: string
}

/** Under the lock of the workspace: links that are made at once would each count all but the others. */
export async function keepInvitation(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { id, secret, role, createdAt, expiresAt, usesLeft }: NewInvitation,
  caller: Caller,
): Promise<OpenInvitation> {
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, null)
    if (revision === undefined) throw new Problem('workspace_not_found')
    const { count } = await tx
      .selectFrom('workspace_invitations')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('owner', '=', owner)
      .where('repo', '=', repo)
      .where('expires_at', '>', createdAt)
      .executeTakeFirstOrThrow()
    if (count >= SHARING_LIMITS.invitations)
      throw new Problem('limit_reached', {
        detail: `A workspace can have ${SHARING_LIMITS.invitations} links. Revoke one to make another.`,
      })
    const kept = await tx
      .insertInto('workspace_invitations')
      .values({
        id,
        secret_hash: hashSecret(secret),
        owner,
        repo,
        role,
        created_by: caller.handle,
        created_at: createdAt,
        expires_at: expiresAt,
        uses_left: usesLeft,
      })
      .returning(KEPT)
      .executeTakeFirstOrThrow()
    await noteAction(
      tx,
      { owner, repo },
      revision,
      { caller, tabId: null, action: `member link ${role}` },
      createdAt,
    )
    return kept
  })
}

/** `false`: there is none, or it was over already. */
export async function revokeInvitation(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  id: string,
  caller: Caller,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, null)
    if (revision === undefined) throw new Problem('workspace_not_found')
    const { numDeletedRows } = await tx
      .deleteFrom('workspace_invitations')
      .where('owner', '=', owner)
      .where('repo', '=', repo)
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await noteAction(tx, { owner, repo }, revision, { caller, tabId: null, action: 'member unlink' }, now)
    return true
  })
}

/** All that somebody has made: whoever has taken over their account must not come back through one. */
export async function endInvitationsOf(db: Db<PanelsTables>, handle: string): Promise<void> {
  await db.deleteFrom('workspace_invitations').where('created_by', '=', handle).execute()
}
