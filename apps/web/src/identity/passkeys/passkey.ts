import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { UserError } from '../../errors/user-error.ts'
import { words } from './words.ts'

/** What travels between the browser's part of a ceremony and the server's; both ends know its shape, we need not. */
export type Credential = Record<string, unknown>

/** Asks the person for a passkey of theirs. */
export async function askForPasskey(options: Credential): Promise<Credential> {
  return await attempt(() =>
    startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  )
}

/** Lets the person make a passkey. */
export async function makePasskey(options: Credential): Promise<Credential> {
  return await attempt(() =>
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  )
}

async function attempt(ceremony: () => Promise<object>): Promise<Credential> {
  if (!('PublicKeyCredential' in globalThis)) throw notHere(undefined)
  try {
    return { ...(await ceremony()) }
  } catch (error) {
    throw tellable(error)
  }
}

function tellable(error: unknown): UserError {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') {
    return new UserError(words.alreadyHere.title, words.alreadyHere.detail, error)
  }
  if (name === 'SecurityError' || name === 'NotSupportedError') return notHere(error)
  // Canceled, timed out and “no such passkey” look the same to a page, on purpose.
  return new UserError(words.notUsed.title, words.notUsed.detail, error)
}

function notHere(cause: unknown): UserError {
  return new UserError(words.notSupported.title, words.notSupported.detail, cause)
}
