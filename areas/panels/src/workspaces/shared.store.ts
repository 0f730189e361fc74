import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelsTables } from '../tables.ts'
import type { SharedPage, SharedPosition } from './workspace-list.ts'

/** The last changed first. */
export async function listShared(
  db: Db<PanelsTables>,
  personId: string,
  { after, limit }: { readonly after: SharedPosition | undefined; readonly limit: number },
): Promise<SharedPage> {
  const rows = await db
    .selectFrom('workspace_members as member')
    .innerJoin('workspaces', (join) =>
      join.onRef('workspaces.owner', '=', 'member.owner').onRef('workspaces.repo', '=', 'member.repo'),
    )
    .select(['workspaces.owner', 'workspaces.repo', 'version', 'tab_count as tabs'])
    .select(['created_at as createdAt', 'changed_at as changedAt', 'role', 'invited_by as invitedBy'])
    .where('person_id', '=', personId)
    .where('workspaces.trashed_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(changed_at < ${after?.changedAt} or (changed_at = ${after?.changedAt}
          and (workspaces.owner, workspaces.repo) > (${after?.owner}, ${after?.repo})))`,
      ),
    )
    .orderBy('changed_at', 'desc')
    .orderBy('workspaces.owner')
    .orderBy('workspaces.repo')
    .limit(limit + 1)
    .execute()
  const workspaces = rows.slice(0, limit)
  return { workspaces, nextAfter: rows.length > limit ? workspaces.at(-1) : undefined }
}
