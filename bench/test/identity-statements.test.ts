import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { Client } from 'pg'
import { expect } from 'vitest'
import { requireParameters } from '../src/identity/operations.ts'
import { scriptOf } from '../src/identity/pgbench.ts'
import { recordQueries } from '../src/recorded-queries.ts'
import { startDatabase } from '../src/server.ts'

deepTest(
  '[BN-12] statements are taken from the log of PostgreSQL, those of the last recording alone',
  async () => {
    await using database = await startDatabase()
    const server = new Client({ connectionString: database.url })
    await server.connect()
    const several = `select $1::text as first,\n  $2::integer as second`
    const ask = async (text: string, values: unknown[]) =>
      void (await server.query({ name: `s${text.length}`, text, values }))
    const isWanted = (text: string) => !text.includes('own business')
    try {
      await recordQueries(database, [() => ask('select $1::integer', [1])], isWanted)
      const work = async () => {
        await ask(several, ["it's", 2])
        await ask(`select 'own business', $1::integer`, [3])
        await ask('select $1::date', ['2026-01-01'])
      }
      const [recorded = []] = await recordQueries(database, [work], isWanted)
      expect(recorded.map(({ text }) => text)).toEqual([several, 'select $1::date'])
    } finally {
      await server.end()
    }
  },
  60_000,
)

test('[BN-12] pgbench gets the same statements with its values in place', () => {
  const script = scriptOf({
    range: { from: 7, count: 100 },
    statements: ['select $2, $1', 'delete from things where id = $1'],
    expressions: [['now()', ':number'], [':number']],
  })
  expect(script.split('\n').slice(2)).toEqual([
    'select :number, now();',
    'delete from things where id = :number;',
    '',
  ])
})

test('[BN-12] a server that sends other parameters than the bench knows fails the measurement', () => {
  expect(() => requireParameters('poll', ['select $1'])).not.toThrow()
  expect(() => requireParameters('poll', ['select $1, $2'])).toThrow('sends 2 parameters')
  expect(() => requireParameters('poll', ['select $1', 'select $1'])).toThrow('sends 1,1 parameters')
})
