export { type CopyRows, createCopyRows } from './copy-rows.ts'
export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type DatabaseUrl,
  type Db,
  type PoolState,
} from './database.ts'
export { type DatabaseDump, dumpDatabase, findRows, restoreDatabase } from './dump.store.ts'
export { asProblem, isUniqueViolation } from './errors.ts'
export type { DatabaseHooks } from './hooks.ts'
export { type DatabaseState, inspectDatabase } from './inspect.store.ts'
export { findInstallation, findOrCreateInstallation } from './installation.store.ts'
export { type Installation, installationTable, type KernelTables, kernelTables } from './installation.ts'
export { type MigrateOptions, migrate } from './migrate.store.ts'
export { fileOf, fingerprintOf, type Migration, MigrationError } from './migration.ts'
export { collectMigrations, kernelMigrations, type MigrationSource } from './migration-files.ts'
export { createPartitions, dropPartitions, type Partitioning } from './partitions.store.ts'
export { kernelRetention, type Retention, type RetentionOf } from './retention.ts'
export {
  type Column,
  column,
  defineTable,
  type RowOf,
  type Table,
  type TableDescription,
  type TablesOf,
} from './table.ts'
export { compareTables } from './table-differences.store.ts'
export { inTransaction, type TransactionOptions } from './transaction.ts'
