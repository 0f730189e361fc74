import type { RunningOidcProvider } from '@patchbay/testkit/oidc'

const ISSUER_ID = 'dev'
const CLIENT_ID = 'patchbay'

/** Makes the server a client of the development provider, and answers the setting that tells the server so. */
export async function introduceTo(provider: RunningOidcProvider, publicUrl: string): Promise<string> {
  await provider.addClient({
    id: CLIENT_ID,
    name: 'Patchbay',
    redirectUris: [`${publicUrl}/auth/oidc/${ISSUER_ID}/callback`],
  })
  return JSON.stringify([
    { id: ISSUER_ID, name: 'the development provider', issuer: provider.issuer, client_id: CLIENT_ID },
  ])
}
