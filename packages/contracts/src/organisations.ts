import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { handle, shownText } from './handles.ts'

const refusals = ['sign_in_required', 'browser_session_required', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const
const named = Type.Object({ handle })

/** What a member may do: see, change what the organisation owns, or also change its members. */
export const MEMBER_ROLES = ['member', 'maintainer', 'owner'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]
const role = Type.Enum([...MEMBER_ROLES])

export const organisation = Type.Object({
  handle,
  display_name: Type.String(),
  role: Type.Enum([...MEMBER_ROLES], { description: 'The role of the person who asks.' }),
  members: Type.Integer(),
})
export type Organisation = Static<typeof organisation>

export const getOrganisations = endpoint({
  method: 'GET',
  path: '/auth/organisations',
  name: 'listOrganisations',
  summary: 'The organisations the person belongs to',
  tag: 'Organisations',
  responses: { 200: Type.Object({ items: Type.Array(organisation) }) },
  problems: [...refusals],
})

export const postOrganisation = endpoint({
  method: 'POST',
  path: '/auth/organisations',
  name: 'createOrganisation',
  summary: 'Makes an organisation, with the person as its owner',
  tag: 'Organisations',
  body: Type.Object(
    { handle, display_name: shownText(80, 'How it is called on pages.') },
    { additionalProperties: false },
  ),
  responses: { 201: organisation },
  problems: [...changeRefusals, 'handle_taken', 'limit_reached'],
})

export const getMembers = endpoint({
  method: 'GET',
  path: '/auth/organisations/{handle}/members',
  name: 'listMembers',
  summary: 'Who belongs to an organisation; for its members',
  tag: 'Organisations',
  params: named,
  responses: {
    200: Type.Object({ items: Type.Array(Type.Object({ handle, display_name: Type.String(), role })) }),
  },
  problems: [...refusals, 'not_found'],
})

const membership = Type.Object({ handle, person: handle })

export const putMember = endpoint({
  method: 'PUT',
  path: '/auth/organisations/{handle}/members/{person}',
  name: 'setMember',
  summary: 'Adds a member or changes the role of one; for owners',
  tag: 'Organisations',
  params: membership,
  body: Type.Object({ role }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found', 'not_permitted', 'last_owner', 'limit_reached'],
})

export const deleteMember = endpoint({
  method: 'DELETE',
  path: '/auth/organisations/{handle}/members/{person}',
  name: 'removeMember',
  summary: 'Removes a member; for owners, and for oneself',
  tag: 'Organisations',
  params: membership,
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found', 'not_permitted', 'last_owner'],
})
