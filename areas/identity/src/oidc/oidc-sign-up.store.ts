import { Problem } from '@patchbay/contracts/core'
import { beginCeremony } from '../accounts/ceremony.store.ts'
import type { CeremonyData } from '../accounts/ceremony.ts'
import { displayNameFrom, handleFrom, mailName } from '../accounts/handle.ts'
import { findInvitation } from '../accounts/invitation.store.ts'
import { isOpenTo } from '../accounts/sign-up-policy.ts'
import type { IdentityDeps, IssuerSettings } from '../deps.ts'
import type { ExternalIdentity } from './exchange.io.ts'

/** Somebody new: keeps who the issuer says they are until they have chosen a handle. Answers the cookie. */
export async function beginSignUp(
  deps: IdentityDeps,
  issuer: IssuerSettings,
  identity: ExternalIdentity,
  { invitation, returnTo }: Pick<CeremonyData['oidc'], 'invitation' | 'returnTo'>,
): Promise<string> {
  if (invitation === null) {
    if (!isOpenTo(deps.settings.signUp, 'issuer')) throw new Problem('sign_up_closed')
    // Also where anybody may sign up: who was promised something must not silently get less.
  } else if ((await findInvitation(deps, invitation)) === undefined) {
    throw new Problem('invitation_invalid')
  }
  const { name, username, email } = await identity.askNames()
  const handle = handleFrom([mailName(username), mailName(email), name])
  return await beginCeremony(deps, 'sign-up', {
    issuer: identity.issuer,
    subject: identity.subject,
    issuerName: issuer.name,
    handle,
    displayName: displayNameFrom(name, handle),
    returnTo,
    invitation,
  })
}
