import type { DeviceMarker } from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesTables } from './tables.ts'

type Tables = Db<DevicesTables>

export interface MarkerPage {
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly after: { readonly at: Date; readonly id: string } | undefined
  readonly limit: number
}

export async function listMarkers(
  db: Tables,
  { owner, repo }: WorkspaceRef,
  { from, to, after, limit }: MarkerPage,
): Promise<DeviceMarker[]> {
  let query = db
    .selectFrom('device_markers')
    .select(['id', 'at', 'label', 'actor_kind', 'actor_name', 'actor_handle'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (after !== undefined)
    query = query.where(sql<boolean>`(at, id) > (${after.at}::timestamptz, ${after.id})`)
  const rows = await query.orderBy('at').orderBy('id').limit(limit).execute()
  return rows.map(({ id, at, label, actor_kind, actor_name, actor_handle }) => ({
    id,
    at: at.toISOString(),
    label,
    by: { kind: actor_kind, name: actor_name, handle: actor_handle },
  }))
}

/** `false`: the workspace has as many as it may have. In a transaction that has locked the workspace. */
export async function insertMarker(
  tx: Tables,
  { owner, repo }: WorkspaceRef,
  { id, at, label, by }: DeviceMarker,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_markers where owner = ${owner} and repo = ${repo}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= RECORDING_LIMITS.markers) return false
  await tx
    .insertInto('device_markers')
    .values({
      owner,
      repo,
      id,
      at: new Date(at),
      label,
      actor_kind: by.kind,
      actor_name: by.name,
      actor_handle: by.handle,
    })
    .execute()
  return true
}

export async function deleteMarker(tx: Tables, { owner, repo }: WorkspaceRef, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('device_markers')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
