import type {
  CommandResult,
  CommandStatus,
  DeviceArming,
  DeviceValue,
  EmergencyStop,
} from '@patchbay/contracts/devices'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesTables } from './tables.ts'

type Tables = Db<DevicesTables>

export interface NewCommand {
  readonly id: string
  readonly channel: string
  readonly value: DeviceValue
  readonly by: ActingParty
  readonly reason: string | undefined
}

/** `false`: a command with this id was sent before. The row is the lock: of two requests, one sends. */
export async function insertCommand(
  db: Tables,
  device: number,
  command: NewCommand,
  now: Date,
): Promise<boolean> {
  const { id, channel, value, by, reason } = command
  const rows = await db
    .insertInto('device_commands')
    .values({
      device_id: device,
      id,
      channel,
      value: JSON.stringify(value),
      actor_kind: by.kind,
      actor_name: by.name,
      actor_handle: by.handle,
      reason: reason ?? null,
      at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length === 1
}

export interface SentCommand {
  readonly channel: string
  readonly value: DeviceValue
  readonly handle: string
  readonly status: CommandStatus | null
  readonly message: string | null
}

export async function findCommand(db: Tables, device: number, id: string): Promise<SentCommand | undefined> {
  return await db
    .selectFrom('device_commands')
    .select(['channel', 'value', 'actor_handle as handle', 'status', 'message'])
    .where('device_id', '=', device)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function storeResult(db: Tables, device: number, result: CommandResult): Promise<void> {
  const { id, status, message } = result
  await db
    .updateTable('device_commands')
    .set({ status, message })
    .where('device_id', '=', device)
    .where('id', '=', id)
    .execute()
}

export async function deleteOldCommands(db: Tables, before: Date, limit: number): Promise<void> {
  await sql`
    delete from device_commands where (device_id, id) in (
      select device_id, id from device_commands where at < ${before} limit ${limit})`.execute(db)
}

export async function findStop(db: Tables, { owner, repo }: WorkspaceRef): Promise<EmergencyStop | null> {
  const row = await db
    .selectFrom('device_stops')
    .select(['actor_kind as kind', 'actor_name as name', 'actor_handle as handle', 'reason', 'since'])
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirst()
  if (row === undefined) return null
  const { kind, name, handle, reason, since } = row
  return { since: since.toISOString(), by: { kind, name, handle }, reason }
}

/** Whether a workspace that has the device has stopped it: what is stopped in one is stopped. */
export async function isStopped(db: Tables, device: number): Promise<boolean> {
  const row = await db
    .selectFrom('device_stops as stop')
    .innerJoin('device_places as place', (join) =>
      join.onRef('place.owner', '=', 'stop.owner').onRef('place.repo', '=', 'stop.repo'),
    )
    .select('stop.since')
    .where('place.device_id', '=', device)
    .executeTakeFirst()
  return row !== undefined
}

/** Where a device was added, and its name there: what its topics begin with. */
export interface HomeOfDevice {
  readonly owner: string
  readonly repo: string
  readonly name: string
}

/** Devices that are stopped, or the one if it is. In a transaction: the stop is not released before its end. */
export async function lockStopped(
  tx: Tables,
  device: number | undefined,
  limit: number,
): Promise<HomeOfDevice[]> {
  let query = tx
    .selectFrom('device_stops as stop')
    .innerJoin('device_places as place', (join) =>
      join.onRef('place.owner', '=', 'stop.owner').onRef('place.repo', '=', 'stop.repo'),
    )
    .innerJoin('devices as device', 'device.id', 'place.device_id')
    .select(['device.owner', 'device.repo', 'device.name'])
  if (device !== undefined) query = query.where('device.id', '=', device)
  return await query.orderBy('stop.since', 'desc').limit(limit).forShare('stop').execute()
}

/** Devices of a workspace that no workspace holds stopped. */
export async function listReleased(
  db: Tables,
  { owner, repo }: WorkspaceRef,
  limit: number,
): Promise<HomeOfDevice[]> {
  return await db
    .selectFrom('device_places as here')
    .innerJoin('devices as device', 'device.id', 'here.device_id')
    .select(['device.owner', 'device.repo', 'device.name'])
    .where('here.owner', '=', owner)
    .where('here.repo', '=', repo)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('device_stops as stop')
            .innerJoin('device_places as place', (join) =>
              join.onRef('place.owner', '=', 'stop.owner').onRef('place.repo', '=', 'stop.repo'),
            )
            .select('stop.since')
            .whereRef('place.device_id', '=', 'here.device_id'),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

/** The first one stays. Nothing is armed afterwards. */
export async function storeStop(
  tx: Tables,
  { owner, repo }: WorkspaceRef,
  by: ActingParty,
  reason: string | undefined,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('device_stops')
    .values({
      owner,
      repo,
      actor_kind: by.kind,
      actor_name: by.name,
      actor_handle: by.handle,
      reason: reason ?? null,
      since: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .updateTable('device_places')
    .set({ armed_until: null })
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .execute()
}

export async function deleteStop(tx: Tables, { owner, repo }: WorkspaceRef): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('device_stops')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function storeArming(
  db: Tables,
  device: number,
  { owner, repo }: WorkspaceRef,
  arming: (Pick<DeviceArming, 'by' | 'isForAgents'> & { readonly until: Date }) | null,
): Promise<void> {
  await db
    .updateTable('device_places')
    .set({
      armed_until: arming?.until ?? null,
      armed_kind: arming?.by.kind ?? null,
      armed_name: arming?.by.name ?? null,
      armed_handle: arming?.by.handle ?? null,
      armed_for_agents: arming?.isForAgents ?? false,
    })
    .where('device_id', '=', device)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .execute()
}
