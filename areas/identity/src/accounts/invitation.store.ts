import { Problem } from '@patchbay/contracts/core'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { Transaction } from 'kysely'
import type { IdentityDeps } from '../deps.ts'
import { sha256 } from '../secrets.ts'
import type { IdentityTables } from '../tables.ts'
import { lockRequester, type Requester } from './person-lock.store.ts'

export interface NewInvitation {
  readonly makesAdmin: boolean
  /** Null: the operator, through the command line. */
  readonly createdBy: string | null
  readonly ttlSeconds: number
}

export interface Invitation {
  readonly makesAdmin: boolean
  readonly expiresAt: Date
}

/** The secret is answered once, here; the database knows its hash alone. */
export async function createInvitation(
  { db, clock, createSecret }: Pick<IdentityDeps, 'db' | 'clock' | 'createSecret'>,
  { makesAdmin, createdBy, ttlSeconds }: NewInvitation,
): Promise<{ readonly secret: string; readonly expiresAt: Date }> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + ttlSeconds * 1000)
  const secret = createSecret()
  await db
    .insertInto('invitations')
    .values({
      secret_hash: sha256(secret),
      makes_admin: makesAdmin,
      created_by: createdBy,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  return { secret, expiresAt }
}

/** How ceremonies, and the database, know it. */
export function invitationReference(secret: string): string {
  return sha256(secret).toString('base64url')
}

/** Looks without using it up. */
export async function findInvitation(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  reference: string,
): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitations')
    .select(['makes_admin', 'expires_at'])
    .where('secret_hash', '=', Buffer.from(reference, 'base64url'))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return row === undefined ? undefined : { makesAdmin: row.makes_admin, expiresAt: row.expires_at }
}

/** Gives somebody who has an account the rights that the invitation would give a new one. */
export async function acceptAsAdministrator(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  reference: string,
  requester: Requester,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockRequester(transaction, requester)
    const invitation = await takeInvitation(transaction, reference, clock.now())
    if (invitation === undefined) throw new Problem('invitation_invalid')
    if (!invitation.makesAdmin)
      throw new Problem('invalid_request', {
        detail: 'This invitation makes an account, and you have one. Give it to somebody else.',
      })
    await transaction
      .updateTable('people')
      .set({ is_admin: true })
      .where('id', '=', requester.personId)
      .execute()
  })
}

/** Of two who use one invitation at once, the second waits for the first and finds nothing. */
export async function takeInvitation(
  transaction: Transaction<IdentityTables>,
  reference: string,
  now: Date,
): Promise<Invitation | undefined> {
  const row = await transaction
    .deleteFrom('invitations')
    .where('secret_hash', '=', Buffer.from(reference, 'base64url'))
    .where('expires_at', '>', now)
    .returning(['makes_admin', 'expires_at'])
    .executeTakeFirst()
  return row === undefined ? undefined : { makesAdmin: row.makes_admin, expiresAt: row.expires_at }
}
