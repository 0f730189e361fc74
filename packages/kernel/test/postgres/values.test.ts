import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, emptyDatabase, outcomeOf } from './open-database.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

async function read(expression: string): Promise<unknown> {
  await using connection = connect(database.url, { poolSize: 1 })
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(
    connection.db,
  )
  return rows[0]?.value
}

test.for<[string, unknown]>([
  ['count(*)', 1],
  ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
  ['(-9007199254740991)::bigint', Number.MIN_SAFE_INTEGER],
  ['array[1, null, -3]::bigint[]', [1, null, -3]],
  ["'{}'::bigint[]", []],
  ['1.10::numeric', '1.10'],
  ["'2026-02-03'::date", '2026-02-03'],
  ["'2026-02-03 04:05:06.789+02'::timestamptz", new Date('2026-02-03T02:05:06.789Z')],
  ["'\\x00ff'::bytea", Buffer.from([0, 255])],
  [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  ["array['a', 'b,c']", ['a', 'b,c']],
  ['null::bigint', null],
])('[K-422] %s', async ([expression, expected]) => {
  expect(await read(expression)).toEqual(expected)
})

test.for(['9007199254740992::bigint', 'array[1, -9007199254740992]::bigint[]'])(
  '[K-422] %s fails instead of being rounded',
  async (expression) => {
    const { error } = await outcomeOf(() => read(expression))
    expect(error).toBeInstanceOf(RangeError)
  },
)

test('[K-422] a Date comes back as it went, to the millisecond', async () => {
  await using connection = connect(database.url)
  const sent = [new Date(0), new Date('1969-12-31T23:59:59.999Z'), new Date('2026-03-29T01:30:00.001Z')]
  for (const at of sent) {
    const { rows } = await sql<{ at: Date }>`select ${at}::timestamptz as at`.execute(connection.db)
    expect(rows).toEqual([{ at }])
  }
})
