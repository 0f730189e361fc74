import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import type { Db } from '@patchbay/kernel/postgres'
import type { Account } from '../accounts/account.ts'
import { takeCeremony } from '../accounts/ceremony.store.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityTables } from '../tables.ts'
import { checkAssertion, claimedCredentialId, type KeptPasskey } from './assertion.ts'
import type { RelyingParty } from './relying-party.ts'

/** Whom the answer of a passkey signs in. */
export async function findPersonByPasskey(
  { db, clock }: IdentityDeps,
  party: RelyingParty,
  headers: IncomingHttpHeaders,
  credential: Readonly<Record<string, unknown>>,
): Promise<Account> {
  const now = clock.now()
  const begun = await takeCeremony(db, 'passkey-sign-in', headers, now)
  if (begun === undefined) throw new Problem('ceremony_expired')
  const found = await findPasskey(db, claimedCredentialId(credential))
  if (found === undefined) throw new Problem('passkey_refused')
  const use = await checkAssertion(party, credential, begun.challenge, found.kept)
  if (!(await noteUse(db, found.kept.id, use, now))) throw new Problem('passkey_refused')
  return found.account
}

async function findPasskey(
  db: Db<IdentityTables>,
  credentialId: Buffer,
): Promise<{ readonly kept: KeptPasskey; readonly account: Account } | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .innerJoin('people', 'people.id', 'passkeys.person_id')
    .select([
      'passkeys.id',
      'passkeys.person_id',
      'passkeys.credential_id',
      'passkeys.public_key',
      'passkeys.counter',
      'people.handle',
      'people.display_name',
      'people.is_admin',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const personId = row.person_id
  return {
    kept: {
      id: row.id,
      personId,
      credentialId: row.credential_id,
      publicKey: row.public_key,
      counter: row.counter,
    },
    account: { personId, handle: row.handle, displayName: row.display_name, isAdmin: row.is_admin },
  }
}

/** A copy of an authenticator shows by a counter that goes back. Of two answers with one count, one is written. */
async function noteUse(
  db: Db<IdentityTables>,
  id: string,
  { counter, isSynced }: { readonly counter: number; readonly isSynced: boolean },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, is_synced: isSynced, last_used_at: now })
    .where('id', '=', id)
    .where((of) =>
      of.or([of('counter', '<', counter), of.and([of('counter', '=', 0), of.lit(counter === 0)])]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
