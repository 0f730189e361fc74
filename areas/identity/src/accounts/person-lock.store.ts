import { Problem } from '@patchbay/contracts/core'
import type { Db } from '@patchbay/kernel/postgres'
import { findCredentials } from '../sessions/credential.store.ts'
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

/** Who asks, and the session that showed it. */
export interface Requester {
  readonly personId: string
  readonly credential: { readonly id: string }
}

/**
 * Holds the row of whoever asks, as `lockPerson`, if what they asked with is still there. It was when the request began;
 * a key, passkey or invitation that is made after all access of the person was ended would outlive that.
 */
export async function lockRequester(
  transaction: Db<IdentityTables>,
  { personId, credential }: Requester,
): Promise<void> {
  if (!(await lockPerson(transaction, personId))) throw new Problem('sign_in_required')
  // A statement of its own: the one that waited for the lock sees what was there before it waited.
  const found = await findCredentials(transaction, [credential.id])
  if (!found.has(credential.id)) throw new Problem('sign_in_required')
}
