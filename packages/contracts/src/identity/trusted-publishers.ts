import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { packageIdentifier } from '../registry/packages.ts'
import { scope } from './api-keys.ts'

const time = Type.String({ format: 'date-time' })
const refusals = ['sign_in_required', 'browser_session_required', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const
/** A character of a Git ref that shows and stands for nothing but itself. */
const PLAIN = '[^\\s*\\p{C}]'
const SHOWN = '[^\\s\\p{C}]'

export const ciRepository = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)+$',
  description: 'As the CI service spells it, such as `acme/lamp`.',
})
export const gitRef = Type.String({
  maxLength: 200,
  pattern: `^(?:refs/(?:heads|tags)/${PLAIN}+[*]?|refs/tags/[*])$`,
  description:
    'A branch or tag, such as `refs/heads/main`. A `*` at the end stands for any text: `refs/tags/v*`.',
})
export const workflowFile = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9._/-]+[.]ya?ml$',
  description: 'File that defines the job, such as `.github/workflows/release.yml`.',
})
export const ciEnvironment = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^${SHOWN}(?: ?${SHOWN})*$`,
})

/** Which job may publish which package without a stored key. */
const trust = {
  owner: handle,
  identifier: packageIdentifier,
  service: Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'Id of a CI service of this server.' }),
  repository: ciRepository,
  ref: gitRef,
}

export const trustedPublisher = Type.Object({
  id: Type.String({ format: 'uuid' }),
  ...trust,
  workflow: Type.Union([workflowFile, Type.Null()]),
  environment: Type.Union([ciEnvironment, Type.Null()]),
  added_by: handle,
  created_at: time,
  last_used_at: Type.Union([time, Type.Null()]),
})
export type TrustedPublisher = Static<typeof trustedPublisher>

const ciService = Type.Object({ id: Type.String(), name: Type.String() })
export type CiService = Static<typeof ciService>

export const getTrustedPublishers = endpoint({
  method: 'GET',
  path: '/auth/trusted-publishers',
  name: 'listTrustedPublishers',
  summary: 'The CI jobs that may publish packages of an owner; for those who may publish them',
  tag: 'Trusted publishers',
  query: Type.Object(
    { owner: handle, identifier: Type.Optional(packageIdentifier) },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(trustedPublisher),
      services: Type.Array(ciService, { description: 'The CI services that this server trusts.' }),
      audience: Type.String({ description: 'What a job asks its CI service for a token for.' }),
    }),
  },
  problems: [...refusals, 'not_permitted'],
})

export const postTrustedPublisher = endpoint({
  method: 'POST',
  path: '/auth/trusted-publishers',
  name: 'addTrustedPublisher',
  summary: 'Lets a CI job publish a package without a stored key',
  description:
    'The job acts for the person who adds it, and may publish this package alone. The package need not exist yet.',
  tag: 'Trusted publishers',
  body: Type.Object(
    { ...trust, workflow: Type.Optional(workflowFile), environment: Type.Optional(ciEnvironment) },
    { additionalProperties: false },
  ),
  responses: { 201: trustedPublisher },
  problems: [...changeRefusals, 'not_permitted', 'limit_reached', 'ci_service_unknown'],
})

export const deleteTrustedPublisher = endpoint({
  method: 'DELETE',
  path: '/auth/trusted-publishers/{id}',
  name: 'removeTrustedPublisher',
  summary: 'Ends what a CI job may publish, and the keys it was given, at once and on every node',
  tag: 'Trusted publishers',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found'],
})

/** Why a token was not taken. */
export const CI_TOKEN_REFUSALS = [
  'token',
  'used',
  'event',
  'publisher',
  'repository',
  'ref',
  'workflow',
  'environment',
] as const
export type CiTokenRefusal = (typeof CI_TOKEN_REFUSALS)[number]

export const postCiKey = endpoint({
  method: 'POST',
  path: '/auth/trusted-publishers/keys',
  name: 'exchangeCiToken',
  summary: 'Gives a CI job a key that publishes one package and ends after 15 minutes',
  description:
    'The token is an OpenID Connect token that the CI service signed for this job and this server. Each is good for one key per package. A refusal says in `reason` what did not fit.',
  tag: 'Trusted publishers',
  body: Type.Object(
    { token: Type.String({ maxLength: 16_384 }), owner: handle, identifier: packageIdentifier },
    { additionalProperties: false },
  ),
  responses: {
    201: Type.Object({
      key: Type.String({ description: 'Sent as `X-Api-Key`.' }),
      scopes: Type.Array(scope),
      expires_at: time,
    }),
  },
  problems: ['ci_token_refused', 'issuer_unavailable', 'rate_limited', 'database_unavailable'],
})
