import type {
  BoardJobFault,
  BoardJobProgress,
  BoardJobState,
  BoardOperation,
} from '@patchbay/contracts/boards'
import { column, defineTable, type MigrationSource, type TablesOf } from '@patchbay/kernel/postgres'
import type { ListedSymbol } from '@patchbay/kicad-format'
import type { InputFile } from './job.ts'
import type { LibraryInput, LibraryPart, SymbolsPart } from './library.ts'

export const boardsMigrations: MigrationSource = {
  area: 'boards',
  folder: new URL('../migrations/', import.meta.url),
}

/** What a worker says of a job that it does. */
export type Said = Pick<BoardJobProgress, 'step' | 'said'>

export const boardsTables = [
  defineTable('board_jobs', {
    key: column.text(),
    engine: column.text(),
    operation: column.text<BoardOperation>(),
    options: column.jsonb<Readonly<Record<string, unknown>>>(),
    file: column.text(),
    inputs: column.jsonb<readonly InputFile[]>(),
    priority: column.smallint(),
    owner: column.text(),
    state: column.text<BoardJobState>(),
    attempts: column.integer().hasDefault(),
    claim: column.text().nullable(),
    lease_until: column.timestamptz().nullable(),
    fault_code: column.text<BoardJobFault>().nullable(),
    fault_detail: column.text().nullable(),
    notes: column.jsonb<readonly string[]>().hasDefault(),
    counts: column.jsonb<Readonly<Record<string, number>>>().hasDefault(),
    created_at: column.timestamptz(),
    queued_at: column.timestamptz(),
    started_at: column.timestamptz().nullable(),
    finished_at: column.timestamptz().nullable(),
    used_at: column.timestamptz(),
    progress: column.jsonb<Said>().nullable(),
    typical_ms: column.integer().nullable(),
    libraries: column.jsonb<readonly LibraryInput[]>().hasDefault(),
    traceparent: column.text().nullable(),
  }),
  defineTable('board_results', {
    key: column.text(),
    name: column.text(),
    position: column.integer(),
    title: column.text(),
    media_type: column.text(),
    bytes: column.bigint(),
    sha256: column.text(),
  }),
  defineTable('board_asks', {
    owner: column.text(),
    repo: column.text(),
    key: column.text(),
    path: column.text(),
    revision: column.bigint(),
    asked_at: column.timestamptz(),
    askers: column.textArray().nullable(),
  }),
  defineTable('board_workers', {
    id: column.text(),
    engine: column.text(),
    version: column.text(),
    seen_at: column.timestamptz(),
  }),
  defineTable('board_libraries', {
    owner: column.text(),
    repo: column.text(),
    identifier: column.text(),
    name: column.text(),
    version: column.text(),
    sha256: column.text(),
    bytes: column.bigint(),
    symbols: column.jsonb<readonly SymbolsPart[]>(),
    footprints: column.jsonb<readonly LibraryPart[]>(),
    models: column.integer(),
    added_by: column.text(),
    added_at: column.timestamptz(),
  }),
  defineTable('board_installed_symbols', {
    engine: column.text(),
    nickname: column.text(),
    sha256: column.text(),
    bytes: column.bigint(),
    symbols: column.jsonb<readonly ListedSymbol[]>(),
  }),
] as const
export type BoardsTables = TablesOf<typeof boardsTables>
