import type { CommandStatus, DeviceValue, GapReason, RecordingGap } from '@patchbay/contracts/devices'
import type { ActingParty } from '@patchbay/contracts/panels'
import type { ChannelBinding } from '@patchbay/device-kit'
import { column, defineTable, type MigrationSource, type TablesOf } from '@patchbay/kernel/postgres'
import type { RecordedChannel } from './recording-file.ts'

export const devicesMigrations: MigrationSource = {
  area: 'devices',
  folder: new URL('../migrations/', import.meta.url),
}

const actor = {
  actor_kind: column.text<ActingParty['kind']>(),
  actor_name: column.text(),
  actor_handle: column.text(),
}

const rollup = {
  series_id: column.bigint(),
  at: column.timestamptz(),
  min: column.doublePrecision(),
  max: column.doublePrecision(),
  mean: column.doublePrecision(),
  last: column.doublePrecision(),
  count: column.integer(),
}

export const devicesTables = [
  defineTable('devices', {
    id: column.bigint().generated(),
    username: column.text(),
    key_hash: column.text(),
    owner: column.text(),
    repo: column.text(),
    name: column.text(),
    title: column.text(),
    manufacturer: column.text().nullable(),
    model: column.text().nullable(),
    version: column.text().nullable(),
    channels: column.jsonb<readonly ChannelBinding[]>(),
    is_connected: column.boolean().hasDefault(),
    seen_at: column.timestamptz().nullable(),
    ...actor,
    created_at: column.timestamptz(),
  }),
  defineTable('device_places', {
    owner: column.text(),
    repo: column.text(),
    name: column.text(),
    device_id: column.bigint(),
    is_home: column.boolean(),
    armed_until: column.timestamptz().nullable(),
    armed_kind: column.text<ActingParty['kind']>().nullable(),
    armed_name: column.text().nullable(),
    armed_handle: column.text().nullable(),
    armed_for_agents: column.boolean().hasDefault(),
  }),
  defineTable('device_values', {
    device_id: column.bigint(),
    channel: column.text(),
    value: column.jsonb<DeviceValue>(),
    at: column.timestamptz(),
  }),
  defineTable('device_stops', {
    owner: column.text(),
    repo: column.text(),
    ...actor,
    reason: column.text().nullable(),
    since: column.timestamptz(),
  }),
  defineTable('device_commands', {
    device_id: column.bigint(),
    id: column.text(),
    channel: column.text(),
    value: column.jsonb<DeviceValue>(),
    ...actor,
    reason: column.text().nullable(),
    status: column.text<CommandStatus>().nullable(),
    message: column.text().nullable(),
    at: column.timestamptz(),
  }),
  defineTable('device_series', {
    id: column.bigint().generated(),
    device_id: column.bigint().nullable(),
    channel: column.text(),
    member: column.text(),
  }),
  defineTable('device_seconds', rollup),
  defineTable('device_minutes', rollup),
  defineTable('device_hours', rollup),
  defineTable('device_rollups', {
    resolution: column.text<'minutes' | 'hours'>(),
    until: column.timestamptz(),
  }),
  defineTable('device_recorders', {
    owner: column.text(),
    repo: column.text(),
    since: column.timestamptz(),
    ...actor,
  }),
  defineTable('device_recorder_runs', {
    id: column.bigint().generated(),
    node: column.text(),
    begun_at: column.timestamptz(),
    seen_at: column.timestamptz(),
    ended_at: column.timestamptz().nullable(),
  }),
  defineTable('device_chunks', {
    id: column.bigint().hasDefault(),
    device_id: column.bigint(),
    run_id: column.bigint(),
    number: column.bigint(),
    from_at: column.timestamptz(),
    to_at: column.timestamptz(),
    messages: column.integer(),
    channels: column.jsonb<readonly RecordedChannel[]>(),
    bytes: column.bytea(),
    gap_from: column.timestamptz().nullable(),
    gap_reason: column.text<GapReason>().nullable(),
  }),
  defineTable('device_recordings', {
    id: column.bigint().generated(),
    device_id: column.bigint().nullable(),
    owner: column.text(),
    from_at: column.timestamptz(),
    to_at: column.timestamptz(),
    messages: column.bigint(),
    size: column.bigint(),
    sha256: column.text(),
    gaps: column.jsonb<readonly RecordingGap[]>(),
  }),
  defineTable('device_storage', {
    owner: column.text(),
    bytes: column.bigint(),
  }),
  defineTable('device_markers', {
    owner: column.text(),
    repo: column.text(),
    id: column.text(),
    at: column.timestamptz(),
    label: column.text(),
    ...actor,
  }),
] as const
export type DevicesTables = TablesOf<typeof devicesTables>
