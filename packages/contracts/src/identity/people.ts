import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, quarantineReason } from '../core/handles.ts'
import { pageOf, pageQuery } from '../core/paging.ts'

const refusals = [
  'sign_in_required',
  'browser_session_required',
  'not_permitted',
  'database_unavailable',
] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const

export const listedPerson = Type.Object({
  handle,
  display_name: Type.String(),
  is_admin: Type.Boolean(),
  is_disabled: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
})
export type ListedPerson = Static<typeof listedPerson>

export const getPeople = endpoint({
  method: 'GET',
  path: '/auth/people',
  name: 'listPeople',
  summary: 'Everybody with an account, by handle; for administrators',
  tag: 'People',
  query: pageQuery,
  responses: { 200: pageOf(listedPerson) },
  problems: [...refusals],
})

export const patchPerson = endpoint({
  method: 'PATCH',
  path: '/auth/people/{handle}',
  name: 'changePerson',
  summary: 'Disables or enables an account; for administrators',
  description:
    'Disabling ends all sessions and keys of the person, at once, on every node and for good: enabling brings none of them back.',
  tag: 'People',
  params: Type.Object({ handle }),
  body: Type.Object(
    {
      is_disabled: Type.Boolean(),
      quarantine_packages: Type.Optional(
        Type.Object(
          { reason: quarantineReason },
          {
            additionalProperties: false,
            description: 'Only while disabling: quarantines every package that belongs to the account.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: listedPerson },
  problems: [...changeRefusals, 'not_found', 'last_admin'],
})

export const deletePersonAccess = endpoint({
  method: 'DELETE',
  path: '/auth/people/{handle}/access',
  name: 'endAccess',
  summary: 'Signs a person out everywhere: ends all sessions, keys and invitations; for administrators',
  tag: 'People',
  params: Type.Object({ handle }),
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found'],
})

export const postInvitation = endpoint({
  method: 'POST',
  path: '/auth/invitations',
  name: 'createInvitation',
  summary: 'Makes a link with which one person can make an account; for administrators',
  tag: 'People',
  body: Type.Object(
    { makes_admin: Type.Optional(Type.Boolean({ default: false })) },
    { additionalProperties: false },
  ),
  responses: {
    201: Type.Object({
      url: Type.String({ description: 'Shown once. A secret until it is used.' }),
      expires_at: Type.String({ format: 'date-time' }),
    }),
  },
  problems: [...changeRefusals],
})
