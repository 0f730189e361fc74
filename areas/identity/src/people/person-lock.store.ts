import type { Db } from '@patchbay/kernel/postgres'
import type { IdentityTables } from '../tables.ts'

/**
 * Holds the row of somebody whose account works until the transaction ends, so that what they may have only so many of
 * is counted by one request at a time. Rows that merely refer to the person are not held up.
 */
export async function lockPerson(transaction: Db<IdentityTables>, personId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}
