import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceActor, WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { Caller } from '../deps.ts'
import { moveRevision } from '../locks.store.ts'
import type { PanelsTables } from '../tables.ts'
import { noteAction } from './action.store.ts'

/** As many as are listed. */
const LISTED = 100

/** The latest first. */
export async function listActors(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
): Promise<WorkspaceActor[]> {
  const rows = await db
    .selectFrom('workspace_actors')
    .select([
      'credential_id',
      'kind',
      'name',
      'handle',
      'last_action',
      'last_action_at',
      'actions',
      'is_ended',
    ])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .orderBy('last_action_at', 'desc')
    .orderBy('credential_id')
    .limit(LISTED)
    .execute()
  return rows.map(({ kind, name, handle, actions, ...row }) => ({
    credentialId: row.credential_id,
    kind,
    name,
    handle,
    lastAction: row.last_action,
    lastActionAt: row.last_action_at.toISOString(),
    actions,
    isEnded: row.is_ended,
  }))
}

/**
 * Ends the access of a credential or gives it back; `false` if it was so already. Whoever acts takes the lock of the
 * workspace's row first, and so does this: once it is done, nothing that was under way comes after it.
 */
export async function setEnded(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { credentialId, isEnded }: { readonly credentialId: string; readonly isEnded: boolean },
  caller: Caller,
  now: Date,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const revision = await moveRevision(tx, { owner, repo }, null)
    if (revision === undefined) throw new Problem('workspace_not_found')
    const actor = await tx
      .updateTable('workspace_actors as actor')
      .from('workspace_actors as before')
      .set({ is_ended: isEnded })
      .where('actor.owner', '=', owner)
      .where('actor.repo', '=', repo)
      .where('actor.credential_id', '=', credentialId)
      .whereRef('before.owner', '=', 'actor.owner')
      .whereRef('before.repo', '=', 'actor.repo')
      .whereRef('before.credential_id', '=', 'actor.credential_id')
      .returning('before.is_ended as wasEnded')
      .executeTakeFirst()
    if (actor === undefined)
      throw new Problem('not_found', { detail: 'Nobody has acted on this workspace with it.' })
    if (actor.wasEnded === isEnded) return false
    if (isEnded)
      await tx
        .deleteFrom('sandbox_evals')
        .where('owner', '=', owner)
        .where('repo', '=', repo)
        .where('credential_id', '=', credentialId)
        .where('status', '=', 'queued')
        .execute()
    const action = { caller, tabId: null, action: isEnded ? 'access end' : 'access give back' }
    await noteAction(tx, { owner, repo }, revision, action, now)
    return true
  })
}
