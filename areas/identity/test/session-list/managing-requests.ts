import * as contracts from '@patchbay/contracts'
import type { EndpointSpec } from '@patchbay/contracts'

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
    { endpoint: contracts.getApiKeys, path: '/auth/keys' },
    { endpoint: contracts.postApiKey, path: '/auth/keys', body: { name: 'k', scopes: ['panels:ada/*'] } },
    { endpoint: contracts.deleteApiKey, path: `/auth/keys/${keyId}` },
    { endpoint: contracts.getOrganizations, path: '/auth/organizations' },
    {
      endpoint: contracts.postOrganization,
      path: '/auth/organizations',
      body: { handle: 'other', display_name: 'Other' },
    },
    { endpoint: contracts.getMembers, path: '/auth/organizations/acme/members' },
    {
      endpoint: contracts.putMember,
      path: '/auth/organizations/acme/members/bob',
      body: { role: 'owner' },
    },
    { endpoint: contracts.deleteMember, path: '/auth/organizations/acme/members/bob' },
    { endpoint: contracts.getPeople, path: '/auth/people' },
    { endpoint: contracts.patchPerson, path: '/auth/people/bob', body: { is_disabled: true } },
    { endpoint: contracts.deletePersonAccess, path: '/auth/people/bob/access' },
    { endpoint: contracts.postInvitation, path: '/auth/invitations', body: { makes_admin: true } },
    { endpoint: contracts.getSessions, path: '/auth/sessions' },
    { endpoint: contracts.postSessionsSeen, path: '/auth/sessions/seen' },
    { endpoint: contracts.deleteListedSession, path: `/auth/sessions/${sessionId}` },
    { endpoint: contracts.deleteOtherSessions, path: '/auth/sessions' },
  ]
}

export const changes = (requests: readonly ManagingRequest[]) =>
  requests.filter(({ endpoint }) => endpoint.method !== 'GET')

const MANAGING_TAGS = new Set(['API keys', 'Organizations', 'People'])
const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'tag' in value && 'path' in value

/** What the contract has of them, so that a route which is added there cannot be forgotten here. */
export function managingEndpoints(): string[] {
  const exported: readonly unknown[] = Object.values(contracts)
  return exported
    .filter(isEndpoint)
    .filter(({ tag, path }) => MANAGING_TAGS.has(tag) || path.startsWith('/auth/sessions'))
    .map(({ name }) => name)
}
