export {
  type ApiKey,
  apiKey,
  deleteApiKey,
  getApiKeys,
  PANEL_SCOPE_AREAS,
  postApiKey,
  SCOPE_AREAS,
  type ScopeArea,
  scope,
} from './api-keys.ts'
export { IDENTITY_ENDPOINTS } from './endpoints.ts'
export {
  getIntent,
  getIntentRequest,
  getIntentStatus,
  INTENT_DECISIONS,
  type IntentDecision,
  intent,
  intentStatus,
  patchIntent,
  postIntent,
} from './intents.ts'
export {
  deleteMember,
  getMembers,
  getOrganizations,
  MEMBER_ROLES,
  type MemberRole,
  type Organization,
  organization,
  postOrganization,
  putMember,
} from './organizations.ts'
export {
  deletePasskey,
  getPasskeys,
  type Passkey,
  passkey,
  postPasskey,
  postPasskeyOptions,
} from './passkeys.ts'
export {
  deletePersonAccess,
  getPeople,
  type ListedPerson,
  listedPerson,
  patchPerson,
  postInvitation,
} from './people.ts'
export { phraseOf, wordsOf } from './phrase.ts'
export {
  CREDENTIAL_KINDS,
  type CredentialKind,
  deleteListedSession,
  deleteOtherSessions,
  deleteSession,
  getSession,
  getSessions,
  getWhoami,
  type ListedSession,
  listedSession,
  type Person,
  person,
  postSessionsSeen,
} from './sessions.ts'
export {
  getOidcCallback,
  getOidcStart,
  getSignInOptions,
  getSignUp,
  postInvitationAccept,
  postInvitationCheck,
  postPasskeySignIn,
  postPasskeySignInOptions,
  postPasskeySignUp,
  postPasskeySignUpOptions,
  postSignUp,
  SIGN_UP_POLICIES,
  type SignUpPolicy,
} from './sign-in.ts'
