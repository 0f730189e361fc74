import type { IdentityDeps } from '../src/deps.ts'
import { sha256 } from '../src/secrets.ts'
import { beginBrowserSession } from '../src/sessions/browser-session.store.ts'
import { csrfToken } from '../src/sessions/session.ts'

/** What a page of ours, in the browser of one signed-in person, can send. */
export interface Browser {
  readonly personId: string
  readonly handle: string
  readonly token: string
  /** Of the session, as a request that it authenticated carries it. */
  readonly credential: { readonly id: string }
  readonly cookie: string
  readonly csrf: string
  ask(path: string): Promise<Response>
  /** With `Origin` and the CSRF token, as our pages do. */
  change(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Response>
  /** The same browser, at another node. */
  at(url: string): Browser
}

export async function makePerson(
  { db, clock }: IdentityDeps,
  handle: string,
  { isAdmin = false }: { readonly isAdmin?: boolean } = {},
): Promise<string> {
  const now = clock.now()
  await db.insertInto('handles').values({ handle, kind: 'person' }).execute()
  const { id } = await db
    .insertInto('people')
    .values({ handle, display_name: handle, is_admin: isAdmin, created_at: now, sessions_seen_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function createBrowser(
  { url, deps }: { readonly url: string; readonly deps: IdentityDeps },
  handle: string,
  person: { readonly isAdmin?: boolean },
): Promise<Browser> {
  const known = await deps.db
    .selectFrom('people')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirst()
  const personId = known?.id ?? (await makePerson(deps, handle, person))
  const request = { ip: '127.0.0.1', headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' } }
  const { token, cookie } = await beginBrowserSession(deps, request, personId)
  const credential = await deps.db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', sha256(token))
    .executeTakeFirstOrThrow()
  return browserAt(url, { personId, handle, token, credential, cookie: cookie.split(';')[0] ?? '', deps })
}

function browserAt(
  url: string,
  identity: Pick<Browser, 'personId' | 'handle' | 'token' | 'credential' | 'cookie'> & {
    readonly deps: IdentityDeps
  },
): Browser {
  const { personId, handle, token, credential, cookie, deps } = identity
  const csrf = csrfToken(token)
  const headers = { cookie, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
  return {
    personId,
    handle,
    token,
    credential,
    cookie,
    csrf,
    ask: (path) => fetch(url + path, { headers, redirect: 'manual' }),
    change: (method, path, body) =>
      fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...headers,
          origin: new URL(deps.settings.publicUrl).origin,
          'x-csrf-token': csrf,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    at: (other) => browserAt(other, identity),
  }
}
