import type { AUDIT_ACTIONS, Visibility } from '@patchbay/contracts'
import { column, defineTable, type MigrationSource, type TablesOf } from '@patchbay/kernel/postgres'
import type { PackageType, VersionStatus } from '@patchbay/package-format'

export const registryMigrations: MigrationSource = {
  area: 'registry',
  folder: new URL('../migrations/', import.meta.url),
}

type Metadata = Readonly<Record<string, unknown>>

export const registryTables = [
  defineTable('packages', {
    identifier: column.text(),
    folded_identifier: column.text().generated(),
    owner: column.text(),
    visibility: column.text<Visibility>(),
    is_listed: column.boolean().hasDefault(),
    type: column.text<PackageType>(),
    name: column.text(),
    description: column.text(),
    author: column.text(),
    license: column.text(),
    tags: column.textArray(),
    metadata: column.jsonb<Metadata>(),
    icon_sha256: column.text().nullable(),
    latest_version: column.text().nullable(),
    created_at: column.timestamptz(),
    updated_at: column.timestamptz(),
    search: column.of<string>('tsvector'),
    names: column.of<string>('tsvector').generated(),
    fits: column.of<string>('int4multirange').hasDefault(),
  }),
  defineTable('package_versions', {
    identifier: column.text(),
    version: column.text(),
    sort_key: column.of<number[]>('integer[]'),
    status: column.text<VersionStatus>(),
    metadata: column.jsonb<Metadata>(),
    tool_min: column.of<number[]>('integer[]'),
    tool_max: column.of<number[]>('integer[]'),
    platforms: column.textArray(),
    archive_sha256: column.text(),
    archive_size: column.bigint(),
    install_size: column.bigint(),
    manifest_sha256: column.text(),
    published_at: column.timestamptz(),
    published_by: column.text(),
    source_url: column.text().nullable(),
  }),
  defineTable('registry_audit', {
    id: column.bigint().generated(),
    at: column.timestamptz(),
    owner: column.text(),
    actor_id: column.uuid(),
    actor: column.text(),
    credential: column.text(),
    action: column.text<(typeof AUDIT_ACTIONS)[number]>(),
    identifier: column.text(),
    version: column.text().nullable(),
    detail: column.text(),
  }),
  defineTable('feeds', {
    owner: column.text(),
    visibility: column.text<Visibility>(),
    revision: column.bigint(),
    built_revision: column.bigint().hasDefault(),
    looked_at: column.timestamptz().nullable(),
    is_too_large: column.boolean().hasDefault(),
    files: column.jsonb<Metadata>().nullable(),
    fingerprint: column.text().nullable(),
  }),
  defineTable('index_leases', {
    name: column.text(),
    holder: column.text(),
    until: column.timestamptz(),
  }),
  defineTable('feed_files', {
    sha256: column.text(),
    name: column.text(),
    owner: column.text(),
    visibility: column.text<Visibility>(),
    encodings: column.jsonb<Readonly<Record<string, string>>>(),
    size: column.bigint(),
    replaced_at: column.timestamptz().nullable(),
  }),
  defineTable('sparse_marks', {
    identifier: column.text(),
    marked_at: column.timestamptz(),
  }),
  defineTable('sparse_files', {
    brand: column.text(),
    identifier: column.text(),
    sha256: column.text(),
    body: column.text(),
    fingerprint: column.text(),
  }),
  defineTable('trust_roles', {
    role: column.text(),
    version: column.integer(),
    file: column.text(),
    key_id: column.text(),
    renew_at: column.timestamptz().nullable(),
  }),
  defineTable('trust_metadata', {
    file: column.text(),
    body: column.bytea(),
    stored_at: column.timestamptz(),
    replaced_at: column.timestamptz().nullable(),
  }),
] as const
export type RegistryTables = TablesOf<typeof registryTables>
