import type { CallResult } from '@patchbay/contracts/core'
import {
  getSignUp,
  postPasskeySignUp,
  postPasskeySignUpOptions,
  postSignUp,
} from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'
import { makePasskey } from '../passkeys/passkey.ts'
import type { AccountNames } from './account-form.tsx'

export type PendingSignUp = CallResult<typeof getSignUp>['body']

/** The account that an issuer has vouched for and that has no name yet. */
export async function fetchPendingSignUp(signal: AbortSignal): Promise<PendingSignUp> {
  return (await ask(getSignUp, {}, { signal })).body
}

/** Answers where the person wanted to go. */
export async function finishSignUp(names: AccountNames): Promise<string> {
  return (await ask(postSignUp, { body: names })).body.return_to
}

export async function signUpWithPasskey(names: AccountNames, invitation?: string): Promise<void> {
  const body = invitation === undefined ? names : { ...names, invitation }
  const options = await ask(postPasskeySignUpOptions, { body })
  const credential = await makePasskey(options.body)
  await ask(postPasskeySignUp, { body: { credential } })
}
