import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'

const time = Type.String({ format: 'date-time' })
const refusals = ['sign_in_required', 'browser_session_required', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const

/** Of a workspace: its layout, and each kind of call on its panels. `panels` stands for all of them. */
export const PANEL_SCOPE_AREAS = ['workspace', 'webview', 'sandbox', 'screenshot'] as const

/** The files of a workspace. Whoever may write them may read them. */
export const FILE_SCOPE_AREAS = ['files:read', 'files:write'] as const

/** The devices of a workspace. Whoever may command them may read them. */
export const DEVICE_SCOPE_AREAS = ['devices:read', 'devices:command'] as const

/** What an API key can be good for. */
export const SCOPE_AREAS = [
  'panels',
  'packages',
  ...PANEL_SCOPE_AREAS,
  ...FILE_SCOPE_AREAS,
  ...DEVICE_SCOPE_AREAS,
] as const
export type ScopeArea = (typeof SCOPE_AREAS)[number]

/** `panels:ada/board`, `packages:acme/*`: an area, an owner, and one repository of theirs or all. */
export const scope = Type.String({
  maxLength: 160,
  pattern: `^(?:${SCOPE_AREAS.join('|')}):[a-z0-9]+(?:-[a-z0-9]+)*/(?:\\*|[A-Za-z0-9._-]{1,100})$`,
  description:
    'An area, an owner, and a repository or `*`: `panels:ada/board`, `packages:acme/*`, `files:read:ada/board`.',
})

export const apiKey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the key, to recognize it by.' }),
  scopes: Type.Array(scope),
  created_at: time,
  last_used_at: Type.Union([time, Type.Null()]),
  expires_at: Type.Union([time, Type.Null()]),
})
export type ApiKey = Static<typeof apiKey>

export const getApiKeys = endpoint({
  method: 'GET',
  path: '/auth/keys',
  name: 'listApiKeys',
  summary: 'The API keys of the person, without what makes them keys',
  tag: 'API keys',
  responses: { 200: Type.Object({ items: Type.Array(apiKey) }) },
  problems: [...refusals],
})

export const postApiKey = endpoint({
  method: 'POST',
  path: '/auth/keys',
  name: 'createApiKey',
  summary: 'Makes an API key. Its value is in this answer and nowhere else',
  tag: 'API keys',
  body: Type.Object(
    {
      name: shownText(60, 'What the key is for.'),
      scopes: Type.Array(scope, { minItems: 1, maxItems: 50 }),
      expires_in_days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'Absent: never.' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: {
    201: Type.Object({
      key: Type.String({ description: 'Sent as `X-Api-Key`. Shown once.' }),
      api_key: apiKey,
    }),
  },
  problems: [...changeRefusals, 'not_permitted', 'limit_reached'],
})

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/auth/keys/{id}',
  name: 'revokeApiKey',
  summary: 'Ends an API key, at once and on every node',
  tag: 'API keys',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found'],
})
