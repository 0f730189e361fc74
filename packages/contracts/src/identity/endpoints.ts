import type { EndpointSpec } from '../core/endpoint.ts'
import { deleteApiKey, getApiKeys, postApiKey } from './api-keys.ts'
import { getIntent, getIntentRequest, getIntentStatus, patchIntent, postIntent } from './intents.ts'
import { deleteMember, getMembers, getOrganizations, postOrganization, putMember } from './organizations.ts'
import { deletePasskey, getPasskeys, postPasskey, postPasskeyOptions } from './passkeys.ts'
import { deletePersonAccess, getPeople, patchPerson, postInvitation } from './people.ts'
import {
  deleteListedSession,
  deleteOtherSessions,
  deleteSession,
  getSession,
  getSessions,
  getWhoami,
  postSessionsSeen,
} from './sessions.ts'
import {
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
} from './sign-in.ts'
import {
  deleteTrustedPublisher,
  getTrustedPublishers,
  postCiKey,
  postTrustedPublisher,
} from './trusted-publishers.ts'

/** Sign-in, accounts, keys and intents, in the order of the reference. */
export const IDENTITY_ENDPOINTS: readonly EndpointSpec[] = [
  getSession,
  deleteSession,
  getWhoami,
  getSessions,
  postSessionsSeen,
  deleteListedSession,
  deleteOtherSessions,
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
  getPasskeys,
  postPasskeyOptions,
  postPasskey,
  deletePasskey,
  getApiKeys,
  postApiKey,
  deleteApiKey,
  getTrustedPublishers,
  postTrustedPublisher,
  deleteTrustedPublisher,
  postCiKey,
  getOrganizations,
  postOrganization,
  getMembers,
  putMember,
  deleteMember,
  deletePersonAccess,
  getPeople,
  patchPerson,
  postInvitation,
  postIntent,
  getIntent,
  patchIntent,
  getIntentStatus,
  getIntentRequest,
]
