import type { EndpointSpec } from '@patchbay/contracts/core'
import {
  deleteApiKey,
  deleteListedSession,
  deleteMember,
  deleteOtherSessions,
  deletePersonAccess,
  getApiKeys,
  getMembers,
  getOrganizations,
  getPeople,
  getSessions,
  IDENTITY_ENDPOINTS,
  patchPerson,
  postApiKey,
  postInvitation,
  postOrganization,
  postSessionsSeen,
  putMember,
} from '@patchbay/contracts/identity'

/** One good request to a route with which a person manages their account, others or the installation. */
export interface ManagingRequest {
  readonly endpoint: EndpointSpec
  readonly path: string
  readonly body?: unknown
}

export interface Subjects {
  readonly keyId: string
  readonly sessionId: string
}

/** As an administrator called ada, who owns the organization acme with bob as a member. */
export function managingRequests({ keyId, sessionId }: Subjects): readonly ManagingRequest[] {
  return [
    { endpoint: getApiKeys, path: '/auth/keys' },
    { endpoint: postApiKey, path: '/auth/keys', body: { name: 'k', scopes: ['panels:ada/*'] } },
    { endpoint: deleteApiKey, path: `/auth/keys/${keyId}` },
    { endpoint: getOrganizations, path: '/auth/organizations' },
    {
      endpoint: postOrganization,
      path: '/auth/organizations',
      body: { handle: 'other', display_name: 'Other' },
    },
    { endpoint: getMembers, path: '/auth/organizations/acme/members' },
    {
      endpoint: putMember,
      path: '/auth/organizations/acme/members/bob',
      body: { role: 'owner' },
    },
    { endpoint: deleteMember, path: '/auth/organizations/acme/members/bob' },
    { endpoint: getPeople, path: '/auth/people' },
    { endpoint: patchPerson, path: '/auth/people/bob', body: { is_disabled: true } },
    { endpoint: deletePersonAccess, path: '/auth/people/bob/access' },
    { endpoint: postInvitation, path: '/auth/invitations', body: { makes_admin: true } },
    { endpoint: getSessions, path: '/auth/sessions' },
    { endpoint: postSessionsSeen, path: '/auth/sessions/seen' },
    { endpoint: deleteListedSession, path: `/auth/sessions/${sessionId}` },
    { endpoint: deleteOtherSessions, path: '/auth/sessions' },
  ]
}

export const changes = (requests: readonly ManagingRequest[]) =>
  requests.filter(({ endpoint }) => endpoint.method !== 'GET')

const MANAGING_TAGS = new Set(['API keys', 'Organizations', 'People'])

/** What the contract has of them, so that a route which is added there cannot be forgotten here. */
export function managingEndpoints(): string[] {
  return IDENTITY_ENDPOINTS.filter(
    ({ tag, path }) => MANAGING_TAGS.has(tag) || path.startsWith('/auth/sessions'),
  ).map(({ name }) => name)
}
