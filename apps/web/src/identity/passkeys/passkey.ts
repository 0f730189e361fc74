import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { UserError } from '../../errors/user-error.ts'

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
    return new UserError(
      'This device already has a passkey for you',
      'Sign in with it, or create one on another device.',
      error,
    )
  }
  if (name === 'SecurityError' || name === 'NotSupportedError') return notHere(error)
  // Canceled, timed out and “no such passkey” look the same to a page, on purpose.
  return new UserError(
    'No passkey was used',
    'The browser’s dialog was closed or took too long. Nothing has changed; try again when you are ready.',
    error,
  )
}

function notHere(cause: unknown): UserError {
  return new UserError(
    'Passkeys do not work here',
    'They need a recent browser, and this site under its proper name with HTTPS. Use another way to sign in.',
    cause,
  )
}
