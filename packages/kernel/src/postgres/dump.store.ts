import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { DatabaseUrl } from './database.ts'
import { readApplied } from './migration.store.ts'
import { withSingleConnection } from './single-connection.ts'

/** What a dump of the database holds, beside the rows themselves. Tables that others refer to come first. */
export interface DatabaseDump {
  readonly migrations: readonly { readonly area: string; readonly number: number }[]
  readonly tables: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly rows: number
  }[]
  /** Tables that hold a range of time of another one, and which. */
  readonly partitions?: readonly Partition[]
  /** The last number that each has given out. */
  readonly sequences: Readonly<Record<string, string>>
}

interface Partition {
  readonly name: string
  readonly table: string
  /** As PostgreSQL writes them. */
  readonly from: string
  readonly to: string
}

const APPLICATION_NAME = 'patchbay backup'
/** The servers' own; it says which tables there are, and is made anew by them. */
const MIGRATIONS_TABLE = 'schema_migrations'

/** All rows of one moment, whatever is written meanwhile. */
export async function dumpDatabase(
  url: DatabaseUrl,
  write: (table: string, rows: Readable) => Promise<void>,
): Promise<DatabaseDump> {
  return await withSingleConnection({ url, applicationName: APPLICATION_NAME }, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const migrations = (await readApplied(client)).map(({ area, number }) => ({ area, number }))
    const tables: DatabaseDump['tables'][number][] = []
    for (const { name, columns } of await listTables(client)) {
      const rows = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`))
      await write(name, rows)
      tables.push({ name, columns, rows: rows.rowCount })
    }
    const { rows: sequences } = await client.query<{ name: string; last: string }>(
      `select quote_ident(sequencename) as name, last_value::text as last
       from pg_sequences where schemaname = current_schema() and last_value is not null`,
    )
    return {
      migrations,
      tables,
      partitions: await listPartitions(client),
      sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    }
  })
}

/** All of it or nothing, into tables that are there and empty. */
export async function restoreDatabase(
  url: DatabaseUrl,
  { tables, partitions = [], sequences }: DatabaseDump,
  read: (table: string) => Readable,
): Promise<void> {
  await withSingleConnection({ url, applicationName: APPLICATION_NAME }, async (client) => {
    await client.query('begin')
    for (const partition of partitions) await createPartition(client, partition)
    const known = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]))
    for (const { name, columns, rows } of tables) {
      // Names are compared, never trusted: a dump may have been changed by whoever kept it.
      const own = known.get(name)
      if (own === undefined || own.toSorted().join() !== columns.toSorted().join())
        throw new Error(`the table ${name} of the backup is not the one of this version`)
      const rowsIn = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
      await pipeline(read(name), rowsIn)
      if (rowsIn.rowCount !== rows)
        throw new Error(`${name} has ${rowsIn.rowCount} rows, and the backup says ${rows}`)
    }
    for (const [name, last] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2::bigint)', [name, last])
    await client.query('commit')
  })
}

/** Tables that hold a row, of those that the servers write. */
export async function findRows(url: DatabaseUrl): Promise<string[]> {
  return await withSingleConnection({ url, applicationName: APPLICATION_NAME }, async (client) => {
    const found: string[] = []
    for (const { name } of await listTables(client)) {
      const { rowCount } = await client.query(`select from ${name} limit 1`)
      if (rowCount !== 0) found.push(name)
    }
    return found
  })
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/
const BOUND = /^[0-9:+. -]{10,40}$/

async function listPartitions(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; table: string; bound: string }>(
    `select child.relname as name, parent.relname as table, pg_get_expr(child.relpartbound, child.oid) as bound
     from pg_inherits
       join pg_class child on child.oid = inhrelid
       join pg_class parent on parent.oid = inhparent
     where child.relispartition and child.relkind = 'r' and child.relnamespace = current_schema()::regnamespace
     order by child.relname`,
  )
  return rows.map(({ name, table, bound }) => {
    const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bound) ?? []
    if (from === undefined || to === undefined) throw new Error(`the partition ${name} is no range of time`)
    return { name, table, from, to }
  })
}

/** What a dump says is text of whoever kept it: nothing but names and times becomes part of the statement. */
async function createPartition(client: Client, { name, table, from, to }: Partition): Promise<void> {
  if (![name, table].every((text) => NAME.test(text)) || ![from, to].every((text) => BOUND.test(text)))
    throw new Error('a partition of the backup has a name or times that no partition has')
  await client.query(
    `create table if not exists ${name} partition of ${table} for values from ('${from}') to ('${to}')`,
  )
}

interface TableColumns {
  readonly name: string
  readonly columns: readonly string[]
}

/** Tables after those that they refer to, with the columns that are stored. */
async function listTables(client: Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns & { needs: string[] }>(
    `select quote_ident(c.relname) as name,
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select distinct quote_ident(f.relname) from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> $1
     order by c.relname`,
    [MIGRATIONS_TABLE],
  )
  const ordered: TableColumns[] = []
  const isPlaced = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < rows.length) {
    const next = rows.find(({ name, needs }) => !isPlaced(name) && needs.every(isPlaced))
    if (next === undefined) throw new Error('tables refer to each other in a circle')
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}
