import { createSecret, sha256 } from '../installation/accounts.ts'
import type { Site } from './site.ts'

const DAY_MS = 86_400_000

/** Answers the link, as an administrator would hand it out. */
export async function invite(
  { db, url }: Site,
  { makesAdmin = false, ageMs = 0 }: { readonly makesAdmin?: boolean; readonly ageMs?: number } = {},
): Promise<string> {
  const secret = createSecret()
  const created = new Date(Date.now() - ageMs)
  await db
    .insertInto('invitations')
    .values({
      secret_hash: sha256(secret),
      makes_admin: makesAdmin,
      created_by: null,
      created_at: created,
      expires_at: new Date(created.getTime() + 7 * DAY_MS + 60_000),
    })
    .execute()
  return `${url}/welcome?invitation=${secret}`
}
