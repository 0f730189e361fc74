import type { Db } from '@patchbay/kernel/postgres'
import type { IdentityTables } from '../tables.ts'

export async function findPersonByIdentity(
  db: Db<IdentityTables>,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('external_identities')
    .select('person_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.person_id
}
