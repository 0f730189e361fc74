export { phraseOf, wordsOf } from './phrase.ts'
export {
  PANEL_SCOPE_AREAS,
  SCOPE_AREAS,
  scope,
  apiKey,
  getApiKeys,
  postApiKey,
  deleteApiKey,
  type ScopeArea,
  type ApiKey,
} from './api-keys.ts'
export {
  intent,
  postIntent,
  getIntent,
  INTENT_DECISIONS,
  patchIntent,
  intentStatus,
  getIntentStatus,
  getIntentRequest,
  type IntentDecision,
} from './intents.ts'
export {
  MEMBER_ROLES,
  organization,
  getOrganizations,
  postOrganization,
  getMembers,
  putMember,
  deleteMember,
  type MemberRole,
  type Organization,
} from './organizations.ts'
export {
  passkey,
  getPasskeys,
  postPasskeyOptions,
  postPasskey,
  deletePasskey,
  type Passkey,
} from './passkeys.ts'
export {
  listedPerson,
  deletePersonAccess,
  getPeople,
  patchPerson,
  postInvitation,
  type ListedPerson,
} from './people.ts'
export {
  person,
  CREDENTIAL_KINDS,
  getSession,
  deleteSession,
  getWhoami,
  listedSession,
  getSessions,
  postSessionsSeen,
  deleteListedSession,
  deleteOtherSessions,
  type Person,
  type CredentialKind,
  type ListedSession,
} from './sessions.ts'
export {
  SIGN_UP_POLICIES,
  getSignInOptions,
  getOidcStart,
  getOidcCallback,
  getSignUp,
  postSignUp,
  postPasskeySignInOptions,
  postPasskeySignIn,
  postPasskeySignUpOptions,
  postPasskeySignUp,
  postInvitationAccept,
  postInvitationCheck,
  type SignUpPolicy,
} from './sign-in.ts'
export { IDENTITY_ENDPOINTS } from './endpoints.ts'
