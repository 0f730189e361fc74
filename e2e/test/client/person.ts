import { type Books, makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'

/** A person at a browser of their own, signed in, who decides on logins of applications. */
export interface Person {
  readonly id: string
  approve(authUrl: string): Promise<void>
  decline(authUrl: string): Promise<void>
}

/** The account and its browser session are put into the database; everything after that goes over the wire. */
export async function createPerson(
  installation: Books & { readonly url: string },
  handle = 'ada',
): Promise<Person> {
  const account = await makeAccount(installation, handle)
  const token = await openSession(installation, account)
  const decide = async (authUrl: string, decision: 'approve' | 'decline') => {
    const { searchParams, origin } = new URL(authUrl)
    const response = await fetch(`${installation.url}/auth/intents/${searchParams.get('token') ?? ''}`, {
      method: 'PATCH',
      headers: pageHeaders(token, origin),
      body: JSON.stringify({ decision }),
    })
    if (!response.ok) throw new Error(`the decision was refused: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  return {
    id: account.id,
    approve: (authUrl) => decide(authUrl, 'approve'),
    decline: (authUrl) => decide(authUrl, 'decline'),
  }
}
