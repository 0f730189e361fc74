import { sql } from 'kysely'
import type { Db } from './database.ts'
import { inTransaction } from './transaction.ts'

export interface Partitioning {
  /** A table that is partitioned by a range of time. */
  readonly table: string
  /** How much time one partition has. */
  readonly days: number
}

const DAY_MS = 24 * 60 * 60_000

/** Makes those that hold the times from `from` to `until`, where they are missing. */
export async function createPartitions<Tables>(
  db: Db<Tables>,
  { table, days }: Partitioning,
  from: Date,
  until: Date,
): Promise<void> {
  const periodMs = days * DAY_MS
  const missing: number[] = []
  const known = new Set((await listPartitions(db, table)).map(({ name }) => name))
  for (let at = Math.floor(from.getTime() / periodMs) * periodMs; at <= until.getTime(); at += periodMs)
    if (!known.has(nameOf(table, at))) missing.push(at)
  for (const at of missing)
    await inTransaction(db, async (tx) => {
      // Two nodes that make the same one would both find that it is missing.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`partitions of ${table}`}, 0))`.execute(tx)
      const [begin, end] = [at, at + periodMs].map((ms) => sql.lit(new Date(ms).toISOString()))
      await sql`
        create table if not exists ${sql.table(nameOf(table, at))} partition of ${sql.table(table)}
        for values from (${begin}) to (${end})`.execute(tx)
    })
}

/** Drops those whose times are all before `until`. Answers how many. */
export async function dropPartitions<Tables>(
  db: Db<Tables>,
  { table, days }: Partitioning,
  until: Date,
): Promise<number> {
  const over = (await listPartitions(db, table)).filter(
    ({ begin }) => begin + days * DAY_MS <= until.getTime(),
  )
  for (const { name } of over) await sql`drop table if exists ${sql.table(name)}`.execute(db)
  return over.length
}

async function listPartitions<Tables>(
  db: Db<Tables>,
  table: string,
): Promise<{ readonly name: string; readonly begin: number }[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = to_regclass(${table})`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    return year === undefined ? [] : [{ name, begin: Date.UTC(Number(year), Number(month) - 1, Number(day)) }]
  })
}

/** Such as `device_seconds_20261118`. */
function nameOf(table: string, at: number): string {
  return `${table}_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`
}
