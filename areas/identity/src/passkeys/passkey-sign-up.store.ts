import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import { inTransaction } from '@patchbay/kernel/postgres'
import { createAccount, isHandleFree } from '../accounts/account.store.ts'
import { type Account, uuidFrom } from '../accounts/account.ts'
import { takeCeremony } from '../accounts/ceremony.store.ts'
import type { CeremonyData } from '../accounts/ceremony.ts'
import { findInvitation, invitationReference } from '../accounts/invitation.store.ts'
import { isOpenTo } from '../accounts/sign-up-policy.ts'
import type { IdentityDeps } from '../deps.ts'
import { insertPasskey } from './passkey.store.ts'
import { SIGN_UP_LABEL } from './passkey.ts'
import { checkRegistration } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'

export interface Wanted {
  readonly handle: string
  readonly displayName: string
  readonly invitation: string | undefined
}

/** Refuses early what the end would refuse: a passkey that was made for nothing stays in the person's device. */
export async function planPasskeySignUp(
  deps: IdentityDeps,
  { handle, displayName, invitation }: Wanted,
): Promise<CeremonyData['passkey-sign-up']> {
  const { db, settings, createSecret } = deps
  const reference = invitation === undefined ? null : invitationReference(invitation)
  if (reference === null) {
    if (!isOpenTo(settings.signUp, 'passkey')) throw new Problem('sign_up_closed')
  } else if ((await findInvitation(deps, reference)) === undefined) {
    throw new Problem('invitation_invalid')
  }
  if (!(await isHandleFree(db, handle))) throw new Problem('handle_taken')
  return {
    challenge: createSecret(),
    personId: uuidFrom(createSecret()),
    handle,
    displayName,
    invitation: reference,
  }
}

export async function finishPasskeySignUp(
  { db, clock }: IdentityDeps,
  party: RelyingParty,
  headers: IncomingHttpHeaders,
  credential: Readonly<Record<string, unknown>>,
): Promise<Account> {
  const now = clock.now()
  const begun = await takeCeremony(db, 'passkey-sign-up', headers, now)
  if (begun === undefined) throw new Problem('ceremony_expired')
  const passkey = await checkRegistration(party, credential, begun.challenge)
  return await inTransaction(db, async (transaction) => {
    const account = await createAccount(transaction, begun, now)
    await insertPasskey(transaction, passkey, { personId: account.personId, label: SIGN_UP_LABEL, now })
    return account
  })
}
