import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, shownText } from '../core/handles.ts'

const refusals = ['sign_in_required', 'browser_session_required', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const
const named = Type.Object({ handle })

/** What a member may do: see, change what the organization owns, or also change its members. */
export const MEMBER_ROLES = ['member', 'maintainer', 'owner'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]
const role = Type.Enum([...MEMBER_ROLES])

export const organization = Type.Object({
  handle,
  display_name: Type.String(),
  role: Type.Enum([...MEMBER_ROLES], { description: 'The role of the person who asks.' }),
  members: Type.Integer(),
})
export type Organization = Static<typeof organization>

export const getOrganizations = endpoint({
  method: 'GET',
  path: '/auth/organizations',
  name: 'listOrganizations',
  summary: 'The organizations the person belongs to',
  tag: 'Organizations',
  responses: { 200: Type.Object({ items: Type.Array(organization) }) },
  problems: [...refusals],
})

export const postOrganization = endpoint({
  method: 'POST',
  path: '/auth/organizations',
  name: 'createOrganization',
  summary: 'Makes an organization, with the person as its owner',
  tag: 'Organizations',
  body: Type.Object(
    { handle, display_name: shownText(80, 'The name shown on pages.') },
    { additionalProperties: false },
  ),
  responses: { 201: organization },
  problems: [...changeRefusals, 'handle_taken', 'limit_reached'],
})

export const getMembers = endpoint({
  method: 'GET',
  path: '/auth/organizations/{handle}/members',
  name: 'listMembers',
  summary: 'Who belongs to an organization; for its members',
  tag: 'Organizations',
  params: named,
  responses: {
    200: Type.Object({ items: Type.Array(Type.Object({ handle, display_name: Type.String(), role })) }),
  },
  problems: [...refusals, 'not_found'],
})

const membership = Type.Object({ handle, person: handle })

export const putMember = endpoint({
  method: 'PUT',
  path: '/auth/organizations/{handle}/members/{person}',
  name: 'setMember',
  summary: 'Adds a member or changes the role of one; for owners',
  tag: 'Organizations',
  params: membership,
  body: Type.Object({ role }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found', 'not_permitted', 'last_owner', 'limit_reached'],
})

export const deleteMember = endpoint({
  method: 'DELETE',
  path: '/auth/organizations/{handle}/members/{person}',
  name: 'removeMember',
  summary: 'Removes a member; for owners, and for oneself',
  tag: 'Organizations',
  params: membership,
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found', 'not_permitted', 'last_owner'],
})
