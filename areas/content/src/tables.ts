import type { ActingParty } from '@patchbay/contracts/panels'
import { column, defineTable, type MigrationSource, type TablesOf } from '@patchbay/kernel/postgres'

export const contentMigrations: MigrationSource = {
  area: 'content',
  folder: new URL('../migrations/', import.meta.url),
}

export const contentTables = [
  defineTable('contents', {
    id: column.bigint().generated(),
    owner: column.text().nullable(),
    repo: column.text().nullable(),
    revision: column.bigint().hasDefault(),
    files: column.integer().hasDefault(),
    bytes: column.bigint().hasDefault(),
    stored_bytes: column.bigint().hasDefault(),
    forgotten_revision: column.bigint().hasDefault(),
  }),
  defineTable('content_changes', {
    content_id: column.bigint(),
    revision: column.bigint(),
    actor_kind: column.text<'api_key' | 'application' | 'browser'>(),
    actor_name: column.text(),
    actor_handle: column.text(),
    editors: column.jsonb<readonly ActingParty[]>().nullable(),
    reason: column.text().nullable(),
    author_name: column.text().nullable(),
    author_at: column.timestamptz().nullable(),
    paths: column.integer(),
    at: column.timestamptz(),
  }),
  defineTable('content_files', {
    content_id: column.bigint(),
    path: column.text(),
    folded: column.text(),
    revision: column.bigint(),
    sha256: column.text(),
    size: column.bigint(),
    media_type: column.text(),
  }),
  defineTable('content_versions', {
    content_id: column.bigint(),
    path: column.text(),
    revision: column.bigint(),
    sha256: column.text().nullable(),
    size: column.bigint().nullable(),
    media_type: column.text().nullable(),
    moved_from: column.text().nullable(),
  }),
  defineTable('content_blobs', {
    content_id: column.bigint(),
    sha256: column.text(),
    size: column.bigint(),
    is_named: column.boolean().hasDefault(),
    stored_at: column.timestamptz(),
  }),
  defineTable('content_quotas', {
    owner: column.text(),
    bytes: column.bigint(),
  }),
  defineTable('content_documents', {
    id: column.bigint().generated(),
    content_id: column.bigint(),
    path: column.text(),
    file_revision: column.bigint(),
    sha256: column.text(),
    saved_version: column.bigint().hasDefault(),
    version: column.bigint().hasDefault(),
    length: column.integer(),
    line_end: column.text<'lf' | 'crlf'>(),
    changed_at: column.timestamptz(),
  }),
  defineTable('content_edits', {
    document_id: column.bigint(),
    version: column.bigint(),
    client_id: column.text(),
    changes: column.text(),
    actor_kind: column.text<ActingParty['kind']>(),
    actor_name: column.text(),
    actor_handle: column.text(),
    at: column.timestamptz(),
  }),
  defineTable('content_deletions', {
    sha256: column.text(),
    begun_at: column.timestamptz(),
  }),
] as const
export type ContentTables = TablesOf<typeof contentTables>
