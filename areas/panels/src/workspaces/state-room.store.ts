import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { PanelState, PanelsTables } from '../tables.ts'

/** What is smaller than this is not added up: all tabs together have an end by their number. */
const LARGE_STATE = 16_384
/** Of all panels of a workspace, as JSON: whoever opens it is sent all of it. */
const LARGEST_WORKSPACE = 8 * 1024 * 1024
/** Of all workspaces of an owner, as it is stored. By age nothing goes: it is somebody's work. */
const LARGEST_OWNER = 1024 * 1024 * 1024

export function isLargeState(state: PanelState): boolean {
  return JSON.stringify(state).length > LARGE_STATE
}

/** After a large state is written, under the lock of the workspace's row. */
export async function requireRoom(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  largestOwner = LARGEST_OWNER,
): Promise<void> {
  const { size } = await tx
    .selectFrom('panel_states')
    .select(sql<number>`coalesce(sum(octet_length(state::text)), 0)::float8`.as('size'))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirstOrThrow()
  if (size > LARGEST_WORKSPACE)
    throw new Problem('limit_reached', {
      detail: `All panels of a workspace together hold at most ${LARGEST_WORKSPACE} bytes.`,
    })
  // As stored: to know its length as text, each state of each workspace would have to be read.
  const { stored } = await tx
    .selectFrom('panel_states')
    .select(sql<number>`coalesce(sum(pg_column_size(state)), 0)::float8`.as('stored'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  if (stored > largestOwner)
    throw new Problem('limit_reached', {
      detail: `All workspaces of an owner together hold at most ${largestOwner} bytes. Remove one to go on.`,
    })
}
