import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { SHARING_LIMITS } from '../core/limits.ts'
import { uuid } from './catalog.ts'
import {
  repoName,
  workspaceChangeRefusals,
  workspaceParams,
  workspaceRefusals,
  workspaceSummary,
} from './workspaces.ts'

const STRICT = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

/** What somebody may do who was let into one workspace: see it, or also change what is in it. */
export const WORKSPACE_ROLES = ['viewer', 'editor'] as const
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number]
const role = Type.Enum([...WORKSPACE_ROLES])

export const workspaceMember = Type.Object({
  handle,
  role,
  invitedBy: handle,
  joinedAt: time,
})
export type WorkspaceMember = Static<typeof workspaceMember>

export const getWorkspaceMembers = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/members',
  name: 'listWorkspaceMembers',
  summary: 'Who was let into the workspace, by handle; for everybody who may see it',
  description: 'The owner, and the members of an organization that owns it, are not in the list.',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: {
    200: Type.Object({
      items: Type.Array(workspaceMember),
      mayManage: Type.Boolean({ description: 'Whether who asks may add and remove people.' }),
    }),
  },
  problems: [...workspaceRefusals],
})

const memberParams = Type.Object({ ...workspaceParams.properties, handle })

export const putWorkspaceMember = endpoint({
  method: 'PUT',
  path: '/api/workspaces/editor/{owner}/{repo}/members/{handle}',
  name: 'setWorkspaceMember',
  summary: 'Lets a person into the workspace, or changes what they may do in it',
  description:
    'For the owner, and for maintainers and owners of an organization; not with an API key. At most 100 people for each workspace.',
  tag: 'Workspaces',
  params: memberParams,
  body: Type.Object({ role }, STRICT),
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'not_found', 'limit_reached'],
})

export const deleteWorkspaceMember = endpoint({
  method: 'DELETE',
  path: '/api/workspaces/editor/{owner}/{repo}/members/{handle}',
  name: 'removeWorkspaceMember',
  summary: 'Ends the access of a person to the workspace, at once and on every node; also for oneself',
  tag: 'Workspaces',
  params: memberParams,
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'not_found'],
})

export const workspaceInvitation = Type.Object({
  id: uuid,
  role,
  createdBy: handle,
  createdAt: time,
  expiresAt: time,
  usesLeft: Type.Integer(),
})
export type WorkspaceInvitation = Static<typeof workspaceInvitation>

export const getWorkspaceInvitations = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/invitations',
  name: 'listWorkspaceInvitations',
  summary: 'The links that let people into the workspace, the newest first; without their secrets',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: { 200: Type.Object({ items: Type.Array(workspaceInvitation) }) },
  problems: [...workspaceRefusals],
})

export const postWorkspaceInvitation = endpoint({
  method: 'POST',
  path: '/api/workspaces/editor/{owner}/{repo}/invitations',
  name: 'createWorkspaceInvitation',
  summary: 'Makes a link that lets whoever has it into the workspace',
  description: 'The link is in this answer and nowhere else. At most 20 of them for each workspace.',
  tag: 'Workspaces',
  params: workspaceParams,
  body: Type.Object(
    {
      role,
      expiresInHours: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SHARING_LIMITS.invitationHours,
          default: SHARING_LIMITS.defaultInvitationHours,
        }),
      ),
      uses: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SHARING_LIMITS.members,
          default: 1,
          description: 'How many people it lets in.',
        }),
      ),
    },
    STRICT,
  ),
  responses: {
    201: Type.Object({
      url: Type.String({ description: 'Whoever opens it can join. Its secret is behind the `#`.' }),
      invitation: workspaceInvitation,
    }),
  },
  problems: [...workspaceChangeRefusals, 'limit_reached'],
})

export const deleteWorkspaceInvitation = endpoint({
  method: 'DELETE',
  path: '/api/workspaces/editor/{owner}/{repo}/invitations/{id}',
  name: 'revokeWorkspaceInvitation',
  summary: 'Ends a link. Who has joined with it stays',
  tag: 'Workspaces',
  params: Type.Object({ ...workspaceParams.properties, id: uuid }),
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'not_found'],
})

const secret = Type.Object(
  {
    invitation: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What stands behind the `#` of the link.',
    }),
  },
  STRICT,
)

export const postInvitationLook = endpoint({
  method: 'POST',
  path: '/api/workspaces/invitations/check',
  name: 'checkWorkspaceInvitation',
  summary: 'Who invites to what, and as what; needs no account',
  tag: 'Workspaces',
  body: secret,
  responses: {
    200: Type.Object({ owner: handle, repo: repoName, role, invitedBy: handle, expiresAt: time }),
  },
  problems: ['invitation_invalid', 'rate_limited', 'database_unavailable'],
})

export const postInvitationJoin = endpoint({
  method: 'POST',
  path: '/api/workspaces/invitations/accept',
  name: 'acceptWorkspaceInvitation',
  summary: 'Lets whoever is signed in into the workspace',
  description:
    'Not with an API key. Who may do as much already stays as they are, and the link keeps its uses.',
  tag: 'Workspaces',
  body: secret,
  responses: { 200: Type.Object({ owner: handle, repo: repoName, role }) },
  problems: [
    'sign_in_required',
    'credential_invalid',
    'csrf_token_required',
    'not_permitted',
    'invitation_invalid',
    'limit_reached',
    'rate_limited',
    'database_unavailable',
  ],
})

export const sharedWorkspace = Type.Object({
  ...workspaceSummary.properties,
  role,
  invitedBy: handle,
})
export type SharedWorkspace = Static<typeof sharedWorkspace>

export const getSharedWorkspaces = endpoint({
  method: 'GET',
  path: '/api/workspaces/shared',
  name: 'listSharedWorkspaces',
  summary: 'The workspaces of others that the person was let into, the last changed first',
  tag: 'Workspaces',
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    STRICT,
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(sharedWorkspace),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  problems: ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'],
})
