import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from './tables.ts'

/**
 * Locks the row of the workspace until the transaction ends, and moves its revision. `undefined`: there is no such
 * workspace, or no such tab in it.
 */
export async function moveRevision(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  tabId: string | null,
): Promise<number | undefined> {
  const moved = await tx
    .updateTable('workspaces')
    .set((row) => ({ state_revision: row('state_revision', '+', 1) }))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('trashed_at', 'is', null)
    .$if(tabId !== null, (query) =>
      query.where(
        sql<boolean>`jsonb_path_exists(layout, '$.**.tabs[*].id ? (@ == $id)', jsonb_build_object('id', ${tabId}::text))`,
      ),
    )
    .returning('state_revision')
    .executeTakeFirst()
  return moved?.state_revision
}

/** Until the transaction ends, nobody else counts or adds what an owner may have so many of. */
export async function lockOwner(tx: Db<PanelsTables>, owner: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`panels of ${owner}`}, 0))`.execute(tx)
}
