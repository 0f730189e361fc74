import { pageHeaders } from '../installation/accounts.ts'

/** As the account page makes one. */
export async function createApiKey(url: string, session: string, scopes: readonly string[]): Promise<string> {
  const response = await fetch(`${url}/auth/keys`, {
    method: 'POST',
    headers: pageHeaders(session, url),
    body: JSON.stringify({ name: 'agent', scopes }),
  })
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`)
  const { key } = (await response.json()) as { key: string }
  return key
}
