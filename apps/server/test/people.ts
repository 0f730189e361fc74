import { hash, randomBytes } from 'node:crypto'
import type { IdentityTables } from '@patchbay/identity'
import type { Db } from '@patchbay/kernel/postgres'

/** What servers with people in them call themselves; the port that a test gets is known too late. */
export const PUBLIC_URL = 'http://patchbay.localhost'

export type Headers = Readonly<Record<string, string>>

export interface SignedIn {
  readonly application: Headers
  readonly cookie: Headers
  /** The cookie with what a page of ours adds. */
  readonly page: Headers
}

/** A person with a session of each kind, as sign-in and an approved intent leave them. */
export async function signIn(
  db: Db<IdentityTables>,
  server: { readonly url: string },
  handle: string,
): Promise<SignedIn> {
  const now = new Date()
  await db.insertInto('handles').values({ handle, kind: 'person' }).execute()
  const { id } = await db
    .insertInto('people')
    .values({ handle, display_name: handle, is_admin: false, created_at: now, sessions_seen_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const open = async (kind: 'browser' | 'application', prefix: string) => {
    const token = prefix + randomBytes(32).toString('base64url')
    const expires = new Date(now.getTime() + 3_600_000)
    await db
      .insertInto('sessions')
      .values({
        person_id: id,
        kind,
        token_hash: hash('sha256', token, 'buffer'),
        label: null,
        user_agent: 'test',
        network: '127.0.0.1',
        created_at: now,
        last_used_at: now,
        idle_expires_at: kind === 'browser' ? expires : null,
        expires_at: expires,
      })
      .execute()
    return token
  }
  const cookie = { cookie: `__Host-patchbay-session=${await open('browser', 'bro_')}` }
  const session = await fetch(`${server.url}/auth/session`, { headers: cookie })
  const { csrf_token: csrf } = (await session.json()) as { csrf_token: string }
  return {
    application: { authorization: `Bearer ${await open('application', 'tok_')}` },
    cookie,
    page: { ...cookie, origin: PUBLIC_URL, 'x-csrf-token': csrf },
  }
}
