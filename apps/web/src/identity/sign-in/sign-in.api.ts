import { address, type CallResult } from '@patchbay/contracts/core'
import {
  getOidcStart,
  getSignInOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
} from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'
import { askForPasskey } from '../passkeys/passkey.ts'

export type SignInOptions = CallResult<typeof getSignInOptions>['body']

export async function fetchSignInOptions(signal: AbortSignal): Promise<SignInOptions> {
  return (await ask(getSignInOptions, {}, { signal })).body
}

export async function signInWithPasskey(): Promise<void> {
  const options = await ask(postPasskeySignInOptions, {})
  const credential = await askForPasskey(options.body)
  await ask(postPasskeySignIn, { body: { credential } })
}

/** Leaves the app: the issuer sends the browser back to `returnTo`. */
export function goToIssuer(
  issuer: string,
  { returnTo, invitation }: { returnTo: string; invitation?: string | undefined },
): void {
  location.assign(
    address(getOidcStart.path, { params: { issuer }, query: { return_to: returnTo, invitation } }),
  )
}
