import type { HttpApp } from '@patchbay/kernel/http'
import { registerInvitations } from './accounts/invitation.routes.ts'
import { registerSignUp } from './accounts/sign-up.routes.ts'
import type { IdentityDeps } from './deps.ts'
import { keepHouse } from './housekeeping.routes.ts'
import { registerIntents } from './intents/intent.routes.ts'
import { registerApiKeys } from './keys/api-key.routes.ts'
import { findByApiKey } from './keys/api-key.store.ts'
import { registerOidc } from './oidc/oidc.routes.ts'
import { registerOrganizations } from './organizations/organization.routes.ts'
import { registerPasskeys } from './passkeys/passkey.routes.ts'
import { registerPeople } from './people/people.routes.ts'
import { type Authentication, createAuthentication } from './sessions/authentication.store.ts'
import { registerSessionList } from './sessions/session-list.routes.ts'
import { registerSession } from './sessions/session.routes.ts'

/** Every route of the area. Answers how other areas find out who asks. */
export function registerIdentity(app: HttpApp, deps: IdentityDeps): Authentication {
  const authentication = createAuthentication(deps, (key) => findByApiKey(deps, key))
  for (const register of [
    registerSession,
    registerSessionList,
    registerInvitations,
    registerSignUp,
    registerOidc,
    registerPasskeys,
    registerApiKeys,
    registerOrganizations,
    registerPeople,
    registerIntents,
  ]) {
    register(app, deps, authentication)
  }
  keepHouse(app, deps)
  return authentication
}
