import type { CommandStatus, DeviceValue } from '@patchbay/contracts/devices'
import type { ActingParty } from '@patchbay/contracts/panels'
import type { ChannelBinding } from '@patchbay/device-kit'
import { column, defineTable, type MigrationSource, type TablesOf } from '@patchbay/kernel/postgres'

export const devicesMigrations: MigrationSource = {
  area: 'devices',
  folder: new URL('../migrations/', import.meta.url),
}

const actor = {
  actor_kind: column.text<ActingParty['kind']>(),
  actor_name: column.text(),
  actor_handle: column.text(),
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
] as const
export type DevicesTables = TablesOf<typeof devicesTables>
