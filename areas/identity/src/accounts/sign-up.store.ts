import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { IdentityDeps } from '../deps.ts'
import { createAccount } from './account.store.ts'
import type { Account } from './account.ts'
import { takeCeremony } from './ceremony.store.ts'
import { isOpenTo } from './sign-up-policy.ts'

/**
 * Makes the account of somebody an issuer vouched for. The ceremony is taken in the transaction of the account: after
 * `handle_taken` it is still there, and the person tries another handle.
 */
export async function finishSignUp(
  { db, clock, settings }: IdentityDeps,
  headers: IncomingHttpHeaders,
  wanted: { readonly handle: string; readonly displayName: string },
): Promise<{ readonly account: Account; readonly returnTo: string }> {
  const now = clock.now()
  return await inTransaction(db, async (transaction) => {
    const pending = await takeCeremony(transaction, 'sign-up', headers, now)
    if (pending === undefined) throw new Problem('ceremony_expired')
    const { issuer, subject, invitation, returnTo } = pending
    if (invitation === null && !isOpenTo(settings.signUp, 'issuer')) throw new Problem('sign_up_closed')
    const account = await createAccount(transaction, { ...wanted, invitation }, now)
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('external_identities')
      .values({ issuer, subject, person_id: account.personId, created_at: now })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst()
    // Another tab has made the account meanwhile: beginning again signs in to it.
    if ((numInsertedOrUpdatedRows ?? 0n) === 0n) throw new Problem('ceremony_expired')
    return { account, returnTo }
  })
}
