import { Problem } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { lockRequester, type Requester } from '../accounts/person-lock.store.ts'
import type { IdentityTables } from '../tables.ts'
import { type ListedPasskey, MOST_PASSKEYS, type NewPasskey } from './passkey.ts'

export interface PasskeyOwner {
  readonly personId: string
  readonly label: string
  readonly now: Date
}

export async function insertPasskey(
  db: Db<IdentityTables>,
  passkey: NewPasskey,
  { personId, label, now }: PasskeyOwner,
): Promise<ListedPasskey> {
  const row = await db
    .insertInto('passkeys')
    .values({
      person_id: personId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      is_synced: passkey.isSynced,
      label,
      created_at: now,
    })
    // Somebody has it already, be it the same person.
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new Problem('passkey_refused')
  return { id: row.id, label, createdAt: now, lastUsedAt: null, isSynced: passkey.isSynced }
}

export async function addPasskey(
  db: Db<IdentityTables>,
  passkey: NewPasskey,
  owner: Requester,
  { label, now }: Pick<PasskeyOwner, 'label' | 'now'>,
): Promise<ListedPasskey> {
  return await inTransaction(db, async (transaction) => {
    const { personId } = owner
    await lockRequester(transaction, owner)
    if ((await countPasskeys(transaction, personId)) >= MOST_PASSKEYS) throw new Problem('limit_reached')
    return await insertPasskey(transaction, passkey, { personId, label, now })
  })
}

/** Of two removals at once the second looks again, at what the first has left. */
export async function removePasskey(db: Db<IdentityTables>, owner: Requester, id: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { personId } = owner
    await lockRequester(transaction, owner)
    const { numDeletedRows } = await transaction
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('person_id', '=', personId)
      .where((of) =>
        of.or([
          of.exists(
            of
              .selectFrom('passkeys as other')
              .select('other.id')
              .where('other.person_id', '=', personId)
              .where('other.id', '<>', id),
          ),
          of.exists(
            of
              .selectFrom('external_identities')
              .select('external_identities.subject')
              .where('external_identities.person_id', '=', personId),
          ),
        ]),
      )
      .executeTakeFirst()
    if (numDeletedRows > 0n) return
    const isTheirs = (await listPasskeys(transaction, personId)).some((passkey) => passkey.id === id)
    throw new Problem(isTheirs ? 'last_way_in' : 'not_found')
  })
}

async function countPasskeys(db: Db<IdentityTables>, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return count
}

export async function listPasskeys(
  db: Db<IdentityTables>,
  personId: string,
): Promise<(ListedPasskey & { readonly credentialId: Buffer; readonly transports: readonly string[] })[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'label', 'created_at', 'last_used_at', 'is_synced', 'credential_id', 'transports'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_PASSKEYS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    isSynced: row.is_synced,
    credentialId: row.credential_id,
    transports: row.transports,
  }))
}
