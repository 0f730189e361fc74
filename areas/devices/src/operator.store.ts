import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesTables } from './tables.ts'

export interface FoundDevice {
  readonly workspace: string
  readonly name: string
  readonly isConnected: boolean
  readonly seenAt: Date | null
  /** Since when the workspace that it belongs to is stopped. */
  readonly stoppedAt: Date | null
}

/** Of all workspaces, or of those whose address has the text in it. */
export async function listAllDevices(
  db: Db<DevicesTables>,
  text: string,
  limit: number,
): Promise<FoundDevice[]> {
  const { rows } = await sql<FoundDevice>`
    select concat(device.owner, '/', device.repo) as workspace, device.name,
      device.is_connected as "isConnected", device.seen_at as "seenAt", stop.since as "stoppedAt"
    from devices as device left join device_stops as stop using (owner, repo)
    where position(lower(${text}) in lower(concat(device.owner, '/', device.repo, '/', device.name))) > 0
    order by device.is_connected desc, workspace, device.name limit ${limit}`.execute(db)
  return rows
}

export async function countAllDevices(db: Db<DevicesTables>) {
  const { rows } = await sql<{ devices: number; online: number }>`
    select count(*)::int as devices, count(*) filter (where is_connected)::int as online from devices`.execute(
    db,
  )
  return rows[0] ?? { devices: 0, online: 0 }
}

/** Bytes by owner. */
export async function sumRecordings(db: Db<DevicesTables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('device_storage').select(['owner', 'bytes']).execute()
  return new Map(rows.map(({ owner, bytes }) => [owner, bytes]))
}
