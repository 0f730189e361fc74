import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  column,
  compareTables,
  type Db,
  defineTable,
  type findOrCreateInstallation,
  type KernelTables,
  kernelTables,
  type RowOf,
  type TablesOf,
} from '../../src/postgres/index.ts'
import { connect, emptyDatabase, kernelDatabase } from './open-database.ts'

const things = defineTable('things', {
  id: column.bigint().generated(),
  name: column.text<'a' | 'b'>(),
  note: column.text().nullable(),
  made_at: column.timestamptz().hasDefault(),
  tags: column.textArray().hasDefault(),
  data: column.jsonb<{ n: number }[]>().nullable(),
  digest: column.bytea(),
  size: column.of<string>('character varying(20)').hasDefault(),
  label: column.text().nullable().generated(),
})
const tables = [things] as const
type Tables = TablesOf<typeof tables>

const CREATE = `create table things (
  id bigint generated always as identity,
  name text not null,
  note text,
  made_at timestamptz not null default now(),
  tags text[] not null default '{}',
  data jsonb,
  digest bytea not null,
  size varchar(20) not null default 'big',
  label text generated always as (upper(name)) stored
)`

async function openThings(url: string) {
  const connection = connect<Tables>(url, { poolSize: 1 })
  await sql.raw(CREATE).execute(connection.db)
  return connection
}

describe('descriptors', () => {
  test('[K-451] rows, inserts and updates have the types of the descriptor', () => {
    type Row = RowOf<typeof things>
    expectTypeOf<Selectable<Row>>().toEqualTypeOf<{
      id: number
      name: 'a' | 'b'
      note: string | null
      made_at: Date
      tags: string[]
      data: { n: number }[] | null
      digest: Buffer
      size: string
      label: string | null
    }>()
    expectTypeOf<Insertable<Row>>().toExtend<{
      name: 'a' | 'b'
      note?: string | null
      made_at?: Date | undefined
    }>()
    expectTypeOf<keyof Insertable<Row>>().toEqualTypeOf<
      'name' | 'note' | 'made_at' | 'tags' | 'data' | 'digest' | 'size'
    >()
    expectTypeOf<Updateable<Row>['name']>().toEqualTypeOf<'a' | 'b' | undefined>()
    expectTypeOf<Insertable<Row>['data']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<keyof Tables>().toEqualTypeOf<'things'>()
    expect(things.columns.id).toMatchObject({ type: 'bigint', isGenerated: true, isNullable: false })
  })

  test('[K-451] a store of one area takes the database of them all', () => {
    expectTypeOf<Db<KernelTables & Tables>>().toExtend<Parameters<typeof findOrCreateInstallation>[0]>()
    expect(kernelTables.map((table) => table.name)).toEqual(['installation'])
  })

  test('[K-451] what the types allow, the database takes', async () => {
    await using database = await emptyDatabase()
    await using connection = await openThings(database.url)
    const inserted = await connection.db
      .insertInto('things')
      .values({ name: 'a', digest: Buffer.from('x'), data: JSON.stringify([{ n: 1 }]) })
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(inserted).toEqual({
      id: 1,
      name: 'a',
      note: null,
      made_at: expect.any(Date),
      tags: [],
      data: [{ n: 1 }],
      digest: Buffer.from('x'),
      size: 'big',
      label: 'A',
    })
  })
})

describe('comparing', () => {
  test('[K-452] the tables of this package are as described', async () => {
    await using database = await kernelDatabase()
    await using connection = connect(database.url)
    expect(await compareTables(connection.db, kernelTables)).toEqual([])
  })

  test('[K-452] true descriptors have no differences', async () => {
    await using database = await emptyDatabase()
    await using connection = await openThings(database.url)
    expect(await compareTables(connection.db, tables)).toEqual([])
  })

  test('[K-452] every planted difference is reported', async () => {
    await using database = await emptyDatabase()
    await using connection = await openThings(database.url)
    const { db } = connection
    await sql`create schema other`.execute(db)
    await sql`create table other.elsewhere (id int)`.execute(db)
    const wrong = defineTable('things', {
      ...things.columns,
      id: column.integer().hasDefault(),
      name: column.text().nullable(),
      note: column.text(),
      made_at: column.timestamptz(),
      digest: column.bytea().hasDefault(),
      tags: column.textArray().generated(),
      missing: column.text(),
    })
    const { size: _size, ...withoutSize } = wrong.columns
    const elsewhere = defineTable('elsewhere', { id: column.integer().nullable() })
    expect(await compareTables(db, [defineTable('things', withoutSize), elsewhere])).toEqual([
      'things.id: described as integer, in the database it is bigint',
      'things.id: described as having a default, in the database it is generated',
      'things.name: described as nullable, in the database it is not null',
      'things.note: described as not null, in the database it is nullable',
      'things.made_at: described as having no default, in the database it is having a default',
      'things.tags: described as generated, in the database it is having a default',
      'things.digest: described as having a default, in the database it is having no default',
      'things.missing: described, but not in the database',
      'things.size: in the database, but not described',
      'elsewhere: described, but not in the database',
    ])
  })
})
