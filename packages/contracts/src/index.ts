export { getAbout } from './about.ts'
export { address, type CallOptions, call, UnexpectedResponse } from './call.ts'
export { CLOSE_CODES, type CloseCodeName, closeCodeName, isCloseCodeName } from './close-codes.ts'
export {
  type CallInput,
  type CallResult,
  type EndpointSpec,
  endpoint,
  isMediaResponse,
  type MediaResponse,
  type Method,
  pathParameters,
  type UploadBody,
} from './endpoint.ts'
export {
  CALLBACK_OUTCOMES,
  type CallbackOutcome,
  DELIVERY_MODES,
  type DeliveryMode,
  getCallback,
  getCallbackResult,
  getConfirmation,
  getGatewayStatus,
  postCallback,
  postConfirmation,
} from './gateway.ts'
export {
  type CallbackQuery,
  callbackMessage,
  type ClientMessage,
  clientMessage,
  errorMessage,
  GATEWAY_ERROR_REASONS,
  type GatewayErrorReason,
  type GatewayMessage,
  gatewayMessage,
  registeredMessage,
  type RegisterMessage,
  registerMessage,
  unregisterMessage,
} from './gateway-messages.ts'
export { DEFAULT_PORTS, LIMITS } from './limits.ts'
export {
  type ApiInfo,
  type OpenApiDocument,
  type Operation,
  openApiDocument,
  type Parameter,
} from './openapi.ts'
export { PAGE_CSP } from './page-policy.ts'
export { phraseOf, wordsOf } from './phrase.ts'
export {
  isProblemCode,
  PROBLEM_CONTENT_TYPE,
  PROBLEMS,
  Problem,
  type ProblemBody,
  type ProblemCode,
  type ProblemOptions,
} from './problems.ts'
export {
  getWatchdogStatus,
  postRestart,
  postStart,
  postStop,
  postWatchdog,
  WATCHDOG_STATES,
  type WatchdogState,
  type WatchdogStatus,
} from './watchdog.ts'
export {
  SCOPE_AREAS,
  scope,
  apiKey,
  getApiKeys,
  postApiKey,
  deleteApiKey,
  type ScopeArea,
  type ApiKey,
} from './api-keys.ts'
export { HANDLE_LENGTH, HANDLE_PATTERN, handle, shownText } from './handles.ts'
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
  organisation,
  getOrganisations,
  postOrganisation,
  getMembers,
  putMember,
  deleteMember,
  type MemberRole,
  type Organisation,
} from './organisations.ts'
export { pageQuery, pageOf } from './paging.ts'
export {
  passkey,
  getPasskeys,
  postPasskeyOptions,
  postPasskey,
  deletePasskey,
  type Passkey,
} from './passkeys.ts'
export { listedPerson, getPeople, patchPerson, postInvitation, type ListedPerson } from './people.ts'
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
  postInvitationCheck,
  type SignUpPolicy,
} from './sign-in.ts'
export {
  getPackagePage,
  getPackageSearch,
  type PackagePage,
  type PackageSummary,
  packagePage,
  packageSummary,
  type PublishedVersion,
  publishedVersion,
  REGISTRY_PACKAGE_TYPES,
  REGISTRY_PLATFORMS,
  REGISTRY_STATUSES,
  type SearchQuery,
  VISIBILITIES,
  type Visibility,
} from './registry.ts'
export {
  AUDIT_ACTIONS,
  type AuditEntry,
  getOwnedPackages,
  getRegistryAudit,
  patchPackage,
  patchPackageVersion,
  postPackage,
  postPackageImport,
  type Publication,
} from './registry-changes.ts'
export {
  FEED_FILES,
  getArchive,
  getFeed,
  getFeedFile,
  getFeeds,
  getIcon,
  getManifest,
  getMetadataSchema,
  getMetadataSchemaOf,
  getOwnerFeed,
  getPrivateFeed,
  getPrivateFeedFile,
  getSparsePackage,
  getTrustMetadata,
} from './registry-files.ts'
