import { column, defineTable, type TablesOf } from './table.ts'

/** One database is one installation, whatever number of nodes works on it. */
export interface Installation {
  readonly id: string
  readonly createdAt: Date
}

export const installationTable = defineTable('installation', {
  id: column.uuid().hasDefault(),
  created_at: column.timestamptz().hasDefault(),
  singleton: column.boolean().hasDefault(),
})

export const kernelTables = [installationTable] as const
export type KernelTables = TablesOf<typeof kernelTables>
