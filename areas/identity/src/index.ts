export { createInvitation, type NewInvitation } from './accounts/invitation.store.ts'
export {
  CI_KINDS,
  type CiServiceSettings,
  type IdentityDeps,
  type IdentitySettings,
  type IssuerSettings,
} from './deps.ts'
export { registerIdentity } from './identity.routes.ts'
export { isAllowed, isAllowedAny, isInScope } from './keys/permission.store.ts'
export type { Access } from './keys/permission.ts'
export {
  countAccounts,
  endApiKey,
  findAccounts,
  listApiKeys,
  listOperatorActions,
  noteOperatorAction,
} from './people/operator.store.ts'
export { endAllAccess, findPerson, hasAdministrator, setDisabled } from './people/people.store.ts'
export type { Principal } from './principal.ts'
export { identityRetention } from './retention.ts'
export type { Authentication } from './sessions/authentication.store.ts'
export { findCredentials } from './sessions/credential.store.ts'
export { findOpenSession } from './sessions/session.store.ts'
export { type IdentityTables, identityMigrations, identityTables } from './tables.ts'
