import { Problem } from '@patchbay/contracts/core'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { uuidBytes } from '../accounts/account.ts'
import type { NewPasskey } from './passkey.ts'
import { loadWebAuthn, type RelyingParty } from './relying-party.ts'

/** Ed25519, ES256, RS256. Named, because the library's own list depends on what the running Node can do. */
const ALGORITHMS = [-8, -7, -257]
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
export const PROMPT_TIMEOUT_MS = 300_000

export interface Registrant {
  readonly personId: string
  readonly handle: string
  readonly displayName: string
  /** Authenticators with one of these are not asked for another. */
  readonly existing: readonly { readonly credentialId: Buffer; readonly transports: readonly string[] }[]
}

export async function registrationOptions(party: RelyingParty, person: Registrant, challenge: string) {
  const webAuthn = await loadWebAuthn()
  return {
    ...(await webAuthn.generateRegistrationOptions({
      rpID: party.id,
      rpName: party.name,
      userID: uuidBytes(person.personId),
      userName: person.handle,
      userDisplayName: person.displayName,
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PROMPT_TIMEOUT_MS,
      attestationType: 'none',
      // Discoverable: the sign-in asks for no name, so the authenticator must know whose it is.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: person.existing.map(({ credentialId, transports }) => ({
        id: credentialId.toString('base64url'),
        transports: [...transports],
      })),
    })),
  }
}

/** The library throws errors of many kinds over an answer that is not what it should be; all of them are one refusal. */
export async function checkRegistration(
  party: RelyingParty,
  credential: Readonly<Record<string, unknown>>,
  challenge: string,
): Promise<NewPasskey> {
  const response = credential as unknown as RegistrationResponseJSON
  const webAuthn = await loadWebAuthn()
  const { verified, registrationInfo } = await webAuthn
    .verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    .catch((cause: unknown) => {
      throw new Problem('passkey_refused', { cause })
    })
  if (!verified) throw new Problem('passkey_refused')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey,
    counter,
    transports: knownTransports(response.response.transports),
    isSynced: registrationInfo.credentialBackedUp,
  }
}

function knownTransports(given: unknown): string[] {
  if (!Array.isArray(given)) return []
  return [...TRANSPORTS].filter((transport) => given.includes(transport))
}
