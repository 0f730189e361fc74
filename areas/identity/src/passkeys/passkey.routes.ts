import type { HttpApp } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { registerOwnPasskeys } from './own-passkeys.routes.ts'
import { registerPasskeySignIn } from './passkey-sign-in.routes.ts'
import { relyingPartyOf } from './relying-party.ts'

export function registerPasskeys(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  const party = relyingPartyOf(deps.settings.publicUrl)
  registerPasskeySignIn(app, deps, party)
  registerOwnPasskeys(app, deps, authentication, party)
}
