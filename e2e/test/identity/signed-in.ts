import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { csrfToken, makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'

/** A person in a browser, without the browser: what their page would send. */
export interface SignedIn {
  readonly handle: string
  readonly token: string
  readonly cookie: string
  readonly csrf: string
  /** What a page of ours does to change something. */
  change(method: string, url: string, body?: unknown): Promise<Response>
  decide(url: string, intentToken: string, decision?: 'approve' | 'decline'): Promise<Response>
}

export async function signIn(
  databaseUrl: string,
  handle: string,
  publicUrl: string,
  options: { readonly isAdmin?: boolean } = {},
): Promise<SignedIn> {
  await using database = createDatabase<IdentityTables>({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'test',
  })
  const token = await openSession(database, await makeAccount(database, handle, options))
  return asPerson(handle, token, publicUrl)
}

/** Somebody whose session is known already. */
export function asPerson(handle: string, token: string, publicUrl: string): SignedIn {
  const headers = pageHeaders(token, new URL(publicUrl).origin)
  const change = (method: string, url: string, body: unknown = {}) =>
    fetch(url, { method, headers, body: JSON.stringify(body) })
  return {
    handle,
    token,
    cookie: headers['cookie'] ?? '',
    csrf: csrfToken(token),
    change,
    decide: (url, intentToken, decision = 'approve') =>
      change('PATCH', `${url}/auth/intents/${intentToken}`, { decision }),
  }
}
