import { Problem } from '@patchbay/contracts/core'
import type { Db } from '@patchbay/kernel/postgres'
import type { Transaction } from 'kysely'
import type { IdentityTables } from '../tables.ts'
import type { Account } from './account.ts'
import type { InvitationReference } from './ceremony.ts'
import { isReservedHandle, numberedHandles } from './handle.ts'
import { takeInvitation } from './invitation.store.ts'

export interface NewAccount {
  readonly handle: string
  readonly displayName: string
  readonly invitation: InvitationReference
  /** Where the id was already given to an authenticator. */
  readonly personId?: string
}

const TRIES = 50

/**
 * Makes the handle and the person; what they sign in with follows in the same transaction. Thrown problems undo all of
 * it, the use of the invitation included.
 */
export async function createAccount(
  transaction: Transaction<IdentityTables>,
  { handle, displayName, invitation, personId }: NewAccount,
  now: Date,
): Promise<Account> {
  if (isReservedHandle(handle)) throw new Problem('handle_taken')
  const isAdmin = invitation !== null && (await useInvitation(transaction, invitation, now))
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('handles')
    .values({ handle, kind: 'person' })
    .onConflict((conflict) => conflict.column('handle').doNothing())
    .executeTakeFirst()
  if ((numInsertedOrUpdatedRows ?? 0n) === 0n) throw new Problem('handle_taken')
  const { id } = await transaction
    .insertInto('people')
    .values({
      ...(personId === undefined ? {} : { id: personId }),
      handle,
      display_name: displayName,
      is_admin: isAdmin,
      created_at: now,
      sessions_seen_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { personId: id, handle, displayName, isAdmin }
}

/** Answers whether it makes an administrator. */
async function useInvitation(
  transaction: Transaction<IdentityTables>,
  invitation: string,
  now: Date,
): Promise<boolean> {
  const taken = await takeInvitation(transaction, invitation, now)
  if (taken === undefined) throw new Problem('invitation_invalid')
  return taken.makesAdmin
}

export async function isHandleFree(db: Db<IdentityTables>, handle: string): Promise<boolean> {
  if (isReservedHandle(handle)) return false
  const row = await db.selectFrom('handles').select('handle').where('handle', '=', handle).executeTakeFirst()
  return row === undefined
}

/** A suggestion: whether it is still free when it is asked for, the sign-up decides. */
export async function findFreeHandle(db: Db<IdentityTables>, wanted: string): Promise<string> {
  const candidates = numberedHandles(wanted, TRIES)
  const rows = await db.selectFrom('handles').select('handle').where('handle', 'in', candidates).execute()
  const taken = new Set(rows.map((row) => row.handle))
  const isFree = (handle: string) => !taken.has(handle) && !isReservedHandle(handle)
  return candidates.find(isFree) ?? wanted
}
