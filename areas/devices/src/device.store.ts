import type { Device, DeviceArming, LatestValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import { type ChannelBinding, topicOf } from '@patchbay/device-kit'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DeviceIdentity } from './broker.ts'
import type { DevicesTables } from './tables.ts'

type Tables = Db<DevicesTables>

/** A device as one workspace has it. */
export interface KnownDevice {
  readonly id: number
  readonly username: string
  /** What all of its topics begin with. */
  readonly topic: string
  readonly channels: readonly ChannelBinding[]
  readonly isHome: boolean
  readonly shown: Device
}

export interface NewDevice {
  readonly name: string
  readonly title: string
  readonly username: string
  readonly keyHash: string
  readonly by: ActingParty
}

const known = (db: Tables) =>
  db
    .selectFrom('device_places as place')
    .innerJoin('devices as device', 'device.id', 'place.device_id')
    .select([
      'device.id',
      'device.username',
      'device.owner',
      'device.repo',
      'device.name as homeName',
      'device.title',
      'device.manufacturer',
      'device.model',
      'device.version',
      'device.channels',
      'device.is_connected as isConnected',
      'device.seen_at as seenAt',
      'device.actor_kind as kind',
      'device.actor_name as actorName',
      'device.actor_handle as handle',
      'device.created_at as createdAt',
      'place.name',
      'place.is_home as isHome',
      'place.armed_until as armedUntil',
      'place.armed_kind as armedKind',
      'place.armed_name as armedName',
      'place.armed_handle as armedHandle',
      'place.armed_for_agents as isForAgents',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof known>['execute']>>[number]

export async function listDevices(
  db: Tables,
  { owner, repo }: WorkspaceRef,
  now: Date,
  { after, limit }: { readonly after: string; readonly limit: number } = {
    after: '',
    limit: DEVICE_LIMITS.devices,
  },
): Promise<KnownDevice[]> {
  const rows = await known(db)
    .where('place.owner', '=', owner)
    .where('place.repo', '=', repo)
    .where('place.name', '>', after)
    .orderBy('place.name')
    .limit(limit)
    .execute()
  return rows.map((row) => asKnown(row, now))
}

export async function findDevice(
  db: Tables,
  { owner, repo }: WorkspaceRef,
  name: string,
  now: Date,
): Promise<KnownDevice | undefined> {
  const row = await known(db)
    .where('place.owner', '=', owner)
    .where('place.repo', '=', repo)
    .where('place.name', '=', name)
    .executeTakeFirst()
  return row === undefined ? undefined : asKnown(row, now)
}

function asKnown(row: Row, now: Date): KnownDevice {
  const { id, username, owner, repo, homeName, name, channels, isHome } = row
  return {
    id,
    username,
    topic: topicOf({ owner, repo, device: homeName }),
    channels,
    isHome,
    shown: {
      name,
      title: row.title,
      owner,
      repo,
      status: statusOf(row.isConnected, row.seenAt),
      seenAt: row.seenAt?.toISOString() ?? null,
      manufacturer: row.manufacturer,
      model: row.model,
      version: row.version,
      channels: [...channels],
      arming: armingOf(row, now),
      createdAt: row.createdAt.toISOString(),
      createdBy: { kind: row.kind, name: row.actorName, handle: row.handle },
    },
  }
}

function statusOf(isConnected: boolean, seenAt: Date | null): Device['status'] {
  if (isConnected) return 'online'
  return seenAt === null ? 'never' : 'offline'
}

function armingOf(row: Row, now: Date): DeviceArming | null {
  const { armedUntil, armedKind, armedName, armedHandle, isForAgents } = row
  if (armedUntil === null || armedKind === null || armedUntil <= now) return null
  const by = { kind: armedKind, name: armedName ?? '', handle: armedHandle ?? '' }
  return { until: armedUntil.toISOString(), by, isForAgents }
}

export async function countDevices(db: Tables, { owner, repo }: WorkspaceRef): Promise<number> {
  const { count } = await db
    .selectFrom('device_places')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In a transaction that holds the workspace. `false`: the name is taken. */
export async function insertDevice(
  tx: Tables,
  { owner, repo }: WorkspaceRef,
  { name, title, username, keyHash, by }: NewDevice,
  now: Date,
): Promise<boolean> {
  const { id } = await tx
    .insertInto('devices')
    .values({
      username,
      key_hash: keyHash,
      owner,
      repo,
      name,
      title,
      channels: JSON.stringify([]),
      actor_kind: by.kind,
      actor_name: by.name,
      actor_handle: by.handle,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return await insertPlace(tx, id, { owner, repo }, name, true)
}

/** In a transaction that holds the workspace. `false`: the name is taken there by another device. */
export async function insertPlace(
  tx: Tables,
  device: number,
  { owner, repo }: WorkspaceRef,
  name: string,
  isHome: boolean,
): Promise<boolean> {
  await tx
    .insertInto('device_places')
    .values({ owner, repo, name, device_id: device, is_home: isHome })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('device_places')
    .select('device_id as id')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.id === device
}

export async function deletePlace(db: Tables, device: number, { owner, repo }: WorkspaceRef): Promise<void> {
  await db
    .deleteFrom('device_places')
    .where('device_id', '=', device)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('is_home', '=', false)
    .execute()
}

/** The workspaces that have it, besides the one that it was added to. */
export async function listGrants(db: Tables, device: number): Promise<WorkspaceRef[]> {
  return await db
    .selectFrom('device_places')
    .select(['owner', 'repo'])
    .where('device_id', '=', device)
    .where('is_home', '=', false)
    .orderBy('owner')
    .orderBy('repo')
    .execute()
}

/** All that have one of these, for whoever has to look again. */
export async function listPlaces(db: Tables, devices: readonly number[]): Promise<WorkspaceRef[]> {
  if (devices.length === 0) return []
  return await db
    .selectFrom('device_places')
    .select(['owner', 'repo'])
    .distinct()
    .where(sql<boolean>`device_id = any(${devices}::bigint[])`)
    .execute()
}

export async function deleteDevice(db: Tables, device: number): Promise<void> {
  await db.deleteFrom('devices').where('id', '=', device).execute()
}

export async function replaceKey(db: Tables, device: number, keyHash: string): Promise<void> {
  await db.updateTable('devices').set({ key_hash: keyHash }).where('id', '=', device).execute()
}

export interface DeviceRecord extends DeviceIdentity {
  readonly channels: readonly ChannelBinding[]
}

const records = (db: Tables) =>
  db.selectFrom('devices').select(['id', 'username', 'owner', 'repo', 'name', 'channels'])
type RecordRow = Awaited<ReturnType<ReturnType<typeof records>['execute']>>[number]
const asRecord = ({ id, username, owner, repo, name, channels }: RecordRow): DeviceRecord => ({
  id,
  username,
  topic: topicOf({ owner, repo, device: name }),
  channels,
})

/** Of the device with this key; a username is asked for where the broker has one. */
export async function findByKey(
  db: Tables,
  keyHash: string,
  username?: string,
): Promise<DeviceRecord | undefined> {
  let query = records(db).where('key_hash', '=', keyHash)
  if (username !== undefined) query = query.where('username', '=', username)
  const row = await query.executeTakeFirst()
  return row === undefined ? undefined : asRecord(row)
}

export async function findByUsername(db: Tables, username: string): Promise<DeviceRecord | undefined> {
  const row = await records(db).where('username', '=', username).executeTakeFirst()
  return row === undefined ? undefined : asRecord(row)
}

export async function findRecord(
  db: Tables,
  { owner, repo }: WorkspaceRef,
  name: string,
): Promise<DeviceRecord | undefined> {
  const row = await records(db)
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? undefined : asRecord(row)
}

export interface SelfDescription {
  readonly title: string | null
  readonly manufacturer: string | null
  readonly model: string | null
  readonly version: string | null
  readonly channels: readonly ChannelBinding[]
}

export async function storeDescriptions(
  db: Tables,
  devices: readonly (SelfDescription & { readonly id: number })[],
): Promise<void> {
  await sql`
    update devices set title = coalesce(said.title, devices.title),
      manufacturer = coalesce(said.manufacturer, devices.manufacturer), model = coalesce(said.model, devices.model),
      version = coalesce(said.version, devices.version), channels = said.channels
    from unnest(${devices.map(({ id }) => id)}::bigint[], ${devices.map(({ title }) => title)}::text[],
      ${devices.map(({ manufacturer }) => manufacturer)}::text[], ${devices.map(({ model }) => model)}::text[],
      ${devices.map(({ version }) => version)}::text[],
      ${devices.map(({ channels }) => JSON.stringify(channels))}::jsonb[])
      as said (id, title, manufacturer, model, version, channels)
    where devices.id = said.id`.execute(db)
}

export interface Seen {
  readonly id: number
  readonly at: Date
  readonly isConnected: boolean
}

/** One statement for everything that a second has brought. Answers which of them are still there. */
export async function storeSeen(db: Tables, seen: readonly Seen[]): Promise<ReadonlySet<number>> {
  if (seen.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    update devices set seen_at = coalesce(heard.at, seen_at), is_connected = heard.is_connected
    from unnest(${seen.map(({ id }) => id)}::bigint[], ${seen.map(({ at }) => at)}::timestamptz[],
      ${seen.map(({ isConnected }) => isConnected)}::boolean[]) as heard (id, at, is_connected)
    where devices.id = heard.id returning devices.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Those that nothing was heard of since then count as disconnected, whichever node heard them last. Answers which. */
export async function storeSilent(db: Tables, before: Date): Promise<number[]> {
  const rows = await db
    .updateTable('devices')
    .set({ is_connected: false })
    .where('is_connected', '=', true)
    .where('seen_at', '<', before)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export interface StoredValue {
  readonly device: number
  readonly channel: string
  /** As JSON. */
  readonly value: string
  readonly at: Date
}

/** Of devices that are still there. */
export async function storeValues(db: Tables, values: readonly StoredValue[]): Promise<void> {
  if (values.length === 0) return
  await sql`
    insert into device_values (device_id, channel, value, at)
    select heard.* from unnest(${values.map(({ device }) => device)}::bigint[],
      ${values.map(({ channel }) => channel)}::text[], ${values.map(({ value }) => value)}::jsonb[],
      ${values.map(({ at }) => at)}::timestamptz[]) as heard (device_id, channel, value, at)
    join devices on devices.id = heard.device_id
    on conflict (device_id, channel) do update set value = excluded.value, at = excluded.at`.execute(db)
}

export async function listValues(db: Tables, device: number): Promise<LatestValue[]> {
  const rows = await db
    .selectFrom('device_values')
    .select(['channel', 'value', 'at'])
    .where('device_id', '=', device)
    .orderBy('channel')
    .limit(DEVICE_LIMITS.channels)
    .execute()
  return rows.map(({ channel, value, at }) => ({ channel, value, at: at.toISOString() }))
}

/** When a broker begins, nobody is connected to it; whoever was heard of since then is. */
export async function forgetConnections(db: Tables, begunAt: Date): Promise<void> {
  await db
    .updateTable('devices')
    .set({ is_connected: false })
    .where('is_connected', '=', true)
    .where('seen_at', '<', begunAt)
    .execute()
}
