import { type QueryExecutorProvider, sql } from 'kysely'
import type { TableDescription } from './table.ts'
import { type ActualColumn, differencesOf } from './table-differences.ts'

/** Compares descriptors with the schema that the connection works in. */
export async function compareTables(
  db: QueryExecutorProvider,
  tables: readonly TableDescription[],
): Promise<string[]> {
  const names = tables.map((table) => table.name)
  const { rows } = await sql<ActualColumn>`
    select
      c.relname as "table",
      a.attname as "name",
      format_type(a.atttypid, a.atttypmod) as "type",
      not a.attnotnull as "isNullable",
      (a.atthasdef and a.attgenerated = '') or a.attidentity = 'd' as "isDefaulted",
      a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
    from pg_attribute a
      join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p')
      and c.relname = any(${names})
      and a.attnum > 0
      and not a.attisdropped
    order by c.relname, a.attnum
  `.execute(db)
  return differencesOf(tables, rows)
}
