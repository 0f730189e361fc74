import { type Account, createSecret, makeAccount, openSession, sha256 } from '../installation/accounts.ts'
import type { Site } from './site.ts'

const HOUR_MS = 3_600_000

/** An account as it looks after some months: an administrator with everything that can be listed. */
export async function furnish(site: Site, handle = 'ada'): Promise<Account> {
  const account = await makeAccount(site, handle, { isAdmin: true, name: 'Ada Lovelace' })
  await openSession(site, account, {
    kind: 'application',
    label: 'patchbay on lab-bench-7',
    userAgent: 'patchbay-cli/0.1.0 linux',
    network: '198.51.100.23',
    ageMs: 26 * HOUR_MS,
  })
  await openSession(site, account, {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    network: '2001:db8::42',
    ageMs: 80 * HOUR_MS,
  })
  await addPasskeys(site, account)
  await addKey(site, account)
  await addOrganization(site, account)
  const grace = await makeAccount(site, `${handle}-grace`, { name: 'Grace Hopper' })
  await site.db.updateTable('people').set({ disabled_at: new Date() }).where('id', '=', grace.id).execute()
  await makeAccount(site, `${handle}-zoe`, { name: 'Zoë Żółkiewska' })
  return account
}

async function addPasskeys({ db }: Site, { id }: Account): Promise<void> {
  const passkey = (label: string, isSynced: boolean, ageMs: number) => ({
    person_id: id,
    credential_id: sha256(createSecret()),
    public_key: sha256(label),
    counter: 0,
    transports: ['internal'],
    label,
    is_synced: isSynced,
    created_at: new Date(Date.now() - ageMs),
    last_used_at: isSynced ? new Date(Date.now() - HOUR_MS) : null,
  })
  await db
    .insertInto('passkeys')
    .values([passkey('Work laptop', true, 900 * HOUR_MS), passkey('Security key', false, 300 * HOUR_MS)])
    .execute()
}

async function addKey({ db }: Site, { id, handle }: Account): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      person_id: id,
      name: 'Nightly build',
      prefix: 'pbk_3fK9',
      key_hash: sha256(createSecret()),
      scopes: [`panels:${handle}/motor-bench`, `packages:${handle}/*`],
      created_at: new Date(Date.now() - 48 * HOUR_MS),
      last_used_at: new Date(Date.now() - 5 * HOUR_MS),
      expires_at: new Date(Date.now() + 90 * 24 * HOUR_MS + HOUR_MS),
    })
    .execute()
}

async function addOrganization({ db }: Site, { id, handle }: Account): Promise<void> {
  const organization = `${handle}-labs`
  const now = new Date()
  await db.insertInto('handles').values({ handle: organization, kind: 'organization' }).execute()
  const made = await db
    .insertInto('organizations')
    .values({ handle: organization, display_name: 'Analytical Labs', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('members')
    .values({ organization_id: made.id, person_id: id, role: 'owner', created_at: now })
    .execute()
}
