import { Problem } from '@patchbay/contracts/core'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { uuidBytes } from '../accounts/account.ts'
import { PROMPT_TIMEOUT_MS } from './registration.ts'
import { loadWebAuthn, type RelyingParty } from './relying-party.ts'

const CREDENTIAL_ID_LENGTH = 1_023

/** A passkey as it is kept, to hold an answer against. */
export interface KeptPasskey {
  readonly id: string
  readonly personId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
}

export async function assertionOptions(party: RelyingParty, challenge: string) {
  const webAuthn = await loadWebAuthn()
  return {
    ...(await webAuthn.generateAuthenticationOptions({
      rpID: party.id,
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PROMPT_TIMEOUT_MS,
      userVerification: 'required',
    })),
  }
}

/** Which passkey an answer says it is from; nothing about it is believed yet. */
export function claimedCredentialId(credential: Readonly<Record<string, unknown>>): Buffer {
  const { id } = credential
  const bytes = typeof id === 'string' ? Buffer.from(id, 'base64url') : Buffer.alloc(0)
  if (bytes.length === 0 || bytes.length > CREDENTIAL_ID_LENGTH) throw new Problem('passkey_refused')
  return bytes
}

export async function checkAssertion(
  party: RelyingParty,
  credential: Readonly<Record<string, unknown>>,
  challenge: string,
  kept: KeptPasskey,
): Promise<{ readonly counter: number; readonly isSynced: boolean }> {
  const response = credential as unknown as AuthenticationResponseJSON
  const webAuthn = await loadWebAuthn()
  const { verified, authenticationInfo } = await webAuthn
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: kept.credentialId.toString('base64url'),
        publicKey: new Uint8Array(kept.publicKey),
        counter: kept.counter,
      },
    })
    .catch((cause: unknown) => {
      throw new Problem('passkey_refused', { cause })
    })
  if (!verified || !namesPerson(response, kept.personId)) throw new Problem('passkey_refused')
  return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
}

/** A discoverable passkey says whose it is; the library leaves it to us to compare. */
function namesPerson({ response }: AuthenticationResponseJSON, personId: string): boolean {
  const { userHandle } = response
  return typeof userHandle === 'string' && Buffer.from(userHandle, 'base64url').equals(uuidBytes(personId))
}
