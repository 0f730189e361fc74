import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { pageOf, pageQuery } from '../core/paging.ts'

const time = Type.String({ format: 'date-time' })

export const person = Type.Object({
  handle,
  display_name: Type.String(),
  is_admin: Type.Boolean(),
})
export type Person = Static<typeof person>

/** How a caller proved who they are. */
export const CREDENTIAL_KINDS = ['browser', 'application', 'api_key'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  name: 'getSession',
  summary: 'Who is signed in with this browser, if anybody',
  tag: 'Sessions',
  responses: {
    200: Type.Object(
      {
        person: Type.Union([person, Type.Null()]),
        csrf_token: Type.Union([Type.String(), Type.Null()], {
          description: 'Goes into the header `X-CSRF-Token` of every request that changes something.',
        }),
        new_application_sessions: Type.Integer({
          description: 'Sessions that applications were given since the person last looked at the list.',
        }),
      },
      { description: 'The session of this browser' },
    ),
  },
  problems: ['database_unavailable'],
})

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/auth/session',
  name: 'signOut',
  summary: 'Ends the session that this request was made with',
  description:
    'With a cookie it needs the `X-CSRF-Token`; an application ends its own with its bearer token.',
  tag: 'Sessions',
  responses: { 204: null },
  problems: ['sign_in_required', 'credential_invalid', 'csrf_token_required', 'database_unavailable'],
})

export const getWhoami = endpoint({
  method: 'GET',
  path: '/auth/whoami',
  name: 'whoami',
  summary: 'Whom a credential speaks for',
  tag: 'Sessions',
  responses: {
    200: Type.Object(
      {
        person,
        credential: Type.Object({
          kind: Type.Enum([...CREDENTIAL_KINDS]),
          label: Type.Union([Type.String(), Type.Null()]),
          expires_at: Type.Union([time, Type.Null()]),
          scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'What an API key may do; null: whatever its person may.',
          }),
        }),
      },
      { description: 'The person and the credential' },
    ),
  },
  problems: ['sign_in_required', 'credential_invalid', 'database_unavailable'],
})

export const listedSession = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(['browser', 'application']),
  label: Type.Union([Type.String(), Type.Null()], { description: 'What the application calls itself.' }),
  device: Type.String({ description: 'What the user agent said, in words.' }),
  network: Type.String({ description: 'Where it was created from.' }),
  created_at: time,
  last_used_at: time,
  expires_at: time,
  is_current: Type.Boolean(),
  is_new: Type.Boolean({ description: 'Given to an application since the person last looked.' }),
})
export type ListedSession = Static<typeof listedSession>

export const getSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  name: 'listSessions',
  summary: 'The sessions of the person, newest first',
  tag: 'Sessions',
  query: pageQuery,
  responses: { 200: pageOf(listedSession) },
  problems: ['sign_in_required', 'browser_session_required', 'database_unavailable'],
})

export const postSessionsSeen = endpoint({
  method: 'POST',
  path: '/auth/sessions/seen',
  name: 'markSessionsSeen',
  summary: 'The person has looked at the list: nothing in it is new anymore',
  tag: 'Sessions',
  body: Type.Object(
    {
      until: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            '`created_at` of the newest session that was shown; one that came later stays new. Default: now.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyIsOptional: true,
  responses: { 204: null },
  problems: ['sign_in_required', 'browser_session_required', 'csrf_token_required', 'database_unavailable'],
})

export const deleteListedSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  name: 'revokeSession',
  summary: 'Ends a session, at once and on every node',
  tag: 'Sessions',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  responses: { 204: null },
  problems: [
    'not_found',
    'sign_in_required',
    'browser_session_required',
    'csrf_token_required',
    'database_unavailable',
  ],
})

export const deleteOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  name: 'revokeOtherSessions',
  summary: 'Ends every session of the person but the one that asks',
  tag: 'Sessions',
  responses: { 200: Type.Object({ ended: Type.Integer() }) },
  problems: ['sign_in_required', 'browser_session_required', 'csrf_token_required', 'database_unavailable'],
})
