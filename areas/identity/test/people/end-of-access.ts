import { inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { lockPerson } from '../../src/accounts/person-lock.store.ts'
import { endAllAccess } from '../../src/people/people.store.ts'
import type { IdentityNode } from '../start.ts'

/** Until that many statements wait for a lock. */
export async function expectWaiting({ db }: IdentityNode, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  }
  await expect.poll(waiting, { timeout: 20_000 }).toBe(count)
}

/** The answer to a request that is authenticated before all access of the person is ended, and writes after that. */
export async function afterEndOfAccess(
  node: IdentityNode,
  handle: string,
  request: () => Promise<Response>,
): Promise<Response> {
  const { id } = await node.db
    .selectFrom('people')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow()
  // Both wait for the person's row, in this order.
  const { ended, answered } = await inTransaction(node.db, async (transaction) => {
    await lockPerson(transaction, id)
    const ending = endAllAccess(node.deps, handle)
    await expectWaiting(node, 1)
    const answering = request()
    await expectWaiting(node, 2)
    return { ended: ending, answered: answering }
  })
  await ended
  return await answered
}
