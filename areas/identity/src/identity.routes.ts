import type { HttpApp } from '@patchbay/kernel/http'
import { registerInvitations } from './accounts/invitation.routes.ts'
import { registerSignUp } from './accounts/sign-up.routes.ts'
import type { IdentityDeps } from './deps.ts'
import { deleteEnded, SweepProgress } from './housekeeping.store.ts'
import { registerIntents } from './intents/intent.routes.ts'
import { registerApiKeys } from './keys/api-key.routes.ts'
import { findByApiKey } from './keys/api-key.store.ts'
import { registerOidc } from './oidc/oidc.routes.ts'
import { registerOrganizations } from './organizations/organization.routes.ts'
import { registerPasskeys } from './passkeys/passkey.routes.ts'
import { registerPeople } from './people/people.routes.ts'
import { type Authentication, createAuthentication } from './sessions/authentication.store.ts'
import { registerSession } from './sessions/session.routes.ts'
import { registerSessionList } from './sessions/session-list.routes.ts'
import { registerTrustedPublishers } from './trusted-publishers/trusted-publisher.routes.ts'

const INTERVAL_MS = 60_000
const LONGEST_RUN_MS = 30_000

/** Deletes what has ended, every minute until the server closes. */
function keepHouse(app: HttpApp, { db, clock, log }: IdentityDeps): void {
  const closing = new AbortController()
  const progress = new SweepProgress()
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_RUN_MS)])
    await deleteEnded(db, clock.now(), log, signal, progress)
    isRunning = false
  }
  const timer = setInterval(() => void run(), INTERVAL_MS).unref()
  app.addHook('preClose', (done) => {
    clearInterval(timer)
    closing.abort()
    done()
  })
}

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
    registerTrustedPublishers,
    registerOrganizations,
    registerPeople,
    registerIntents,
  ]) {
    register(app, deps, authentication)
  }
  keepHouse(app, deps)
  return authentication
}
