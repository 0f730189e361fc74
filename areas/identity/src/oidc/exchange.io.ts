import { Problem } from '@patchbay/contracts/core'
import * as oidc from 'openid-client'
import type { CeremonyData } from '../accounts/ceremony.ts'
import type { IssuerClient } from './issuer-clients.io.ts'

/** Who an issuer says somebody is. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** Asked for only when somebody is new: a name is worth no second request to sign in. */
  readonly askNames: () => Promise<IssuerNames>
}

export interface IssuerNames {
  readonly name: string | undefined
  readonly username: string | undefined
  readonly email: string | undefined
}

const SUBJECT_LENGTH = 255

export async function authorizationAddress(
  client: IssuerClient,
  redirectUri: string,
  { state, nonce, verifier }: Pick<CeremonyData['oidc'], 'state' | 'nonce' | 'verifier'>,
): Promise<string> {
  return oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** Trades the code for an ID token. State, nonce, issuer, audience, signature and lifetime are the library's to check. */
export async function exchangeCode(
  client: IssuerClient,
  callback: URL,
  { state, nonce, verifier }: Pick<CeremonyData['oidc'], 'state' | 'nonce' | 'verifier'>,
): Promise<ExternalIdentity> {
  const tokens = await oidc.authorizationCodeGrant(client, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined || claims.sub.length > SUBJECT_LENGTH) throw new Problem('issuer_refused')
  return {
    issuer: claims.iss,
    subject: claims.sub,
    askNames: async () => {
      const said = namesIn(claims)
      if (said.name !== undefined && (said.username ?? said.email) !== undefined) return said
      const more = await askUserinfo(client, tokens.access_token, claims.sub)
      return {
        name: said.name ?? more.name,
        username: said.username ?? more.username,
        email: said.email ?? more.email,
      }
    },
  }
}

/** Without it the person types a name: nothing that a sign-up should fail for. */
async function askUserinfo(client: IssuerClient, accessToken: string, subject: string): Promise<IssuerNames> {
  try {
    return namesIn(await oidc.fetchUserInfo(client, accessToken, subject))
  } catch {
    return namesIn({})
  }
}

function namesIn(claims: Readonly<Record<string, unknown>>): IssuerNames {
  return {
    name: text(claims['name']),
    username: text(claims['preferred_username']),
    email: text(claims['email']),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
