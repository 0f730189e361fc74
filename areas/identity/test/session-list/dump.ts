import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { type IdentityTables, identityTables } from '../../src/tables.ts'

/** Every row of every table of the area as text, in an order that does not depend on where it is stored. */
export async function dumpTables(db: Db<IdentityTables>): Promise<string> {
  const texts = await Promise.all(
    identityTables.map(async ({ name }) => {
      const { rows } = await sql<{
        row: string
      }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db)
      return [`-- ${name}`, ...rows.map(({ row }) => row)].join('\n')
    }),
  )
  return texts.join('\n')
}
