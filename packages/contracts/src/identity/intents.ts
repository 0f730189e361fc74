import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'

const time = Type.String({ format: 'date-time' })

/** An authentication intent as the contract has it; what is ours is at the end. */
export const intent = Type.Object(
  {
    token: Type.String({ description: 'Identifies the intent; used in paths. A secret.' }),
    created_at: time,
    expires_at: Type.String({ format: 'date-time', description: '15 minutes after creation.' }),
    requested_max_age: Type.Integer({
      description: 'Seconds that the session will live, within what the operator allows.',
    }),
    auth_url: Type.String({
      description:
        'Where the person approves. Holds the token: short-lived and for one use; do not cache or log it.',
    }),
    updates_url: Type.String({ description: 'The status endpoint of this intent.' }),
    completed: Type.Boolean({ description: 'True once the person has approved.' }),
    confirmation_code: Type.String({
      description:
        'Two words to show beside the link. The person compares them with those on the approval page.',
    }),
  },
  { description: 'An authentication intent' },
)

const token = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) })

const verifierHeader = Type.Object({
  'intent-verifier': Type.Optional(
    Type.String({ maxLength: 200, description: 'The verifier of an intent with a `code_challenge`.' }),
  ),
})

export const postIntent = endpoint({
  method: 'POST',
  path: '/auth/intents',
  name: 'createIntent',
  cors: 'public',
  summary: 'Begins a login: an application asks for a session',
  description:
    'Needs no credential. Open `auth_url` in the browser of the person, then wait at `updates_url`.',
  tag: 'Authentication intents',
  body: Type.Object(
    {
      max_age: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'Seconds the session should live. Default: 90 days, or the maximum of the installation if that is less. More than the maximum, one year unless the operator set another, is refused.',
        }),
      ),
      label: Type.Optional(
        shownText(80, 'What the application calls itself. Shown to the person as its own claim.'),
      ),
      code_challenge: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{43}$',
          description:
            'SHA-256 of a verifier, base64url without padding. With it, status is told to nobody who does not send the verifier.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyIsOptional: true,
  responses: { 201: intent },
  problems: ['max_age_too_long', 'challenge_required', 'rate_limited', 'database_unavailable'],
})

export const getIntent = endpoint({
  method: 'GET',
  path: '/auth/intents/{token}',
  name: 'getIntent',
  cors: 'public',
  summary: 'An intent as it stands',
  tag: 'Authentication intents',
  params: token,
  headers: verifierHeader,
  responses: { 200: intent },
  problems: ['intent_not_found', 'intent_expired', 'intent_declined', 'database_unavailable'],
})

export const INTENT_DECISIONS = ['approve', 'decline'] as const
export type IntentDecision = (typeof INTENT_DECISIONS)[number]

export const patchIntent = endpoint({
  method: 'PATCH',
  path: '/auth/intents/{token}',
  name: 'decideIntent',
  summary: 'The decision of the person, from the approval page',
  description:
    'Only for browser sessions, with an `Origin` of this installation and the `X-CSRF-Token` of the session. Without a body the intent is approved.',
  tag: 'Authentication intents',
  params: token,
  body: Type.Object(
    { decision: Type.Optional(Type.Enum([...INTENT_DECISIONS], { default: 'approve' })) },
    { additionalProperties: false },
  ),
  bodyIsOptional: true,
  responses: { 200: intent },
  problems: [
    'intent_not_found',
    'intent_expired',
    'intent_already_linked',
    'intent_declined',
    'sign_in_required',
    'browser_session_required',
    'csrf_token_required',
    'origin_not_allowed',
    'database_unavailable',
  ],
})

export const intentStatus = Type.Object(
  {
    state: Type.Enum(['pending', 'authenticated']),
    session_token: Type.Optional(
      Type.String({ description: 'Present once authenticated. Send it as `Authorization: Bearer`.' }),
    ),
  },
  { description: 'Where the intent stands' },
)

export const getIntentStatus = endpoint({
  method: 'GET',
  path: '/auth/intents/{token}/status',
  name: 'getIntentStatus',
  cors: 'public',
  summary: 'Where an intent stands, once as JSON or until it ends as server-sent events',
  description:
    'With `Accept: text/event-stream`: event `authenticated` with `{session_token}`, `timeout` when the intent expires, `declined` when the person refuses; a comment every 15 seconds. The stream ends after its event.',
  tag: 'Authentication intents',
  params: token,
  headers: verifierHeader,
  responses: { 200: intentStatus },
  problems: [
    'intent_not_found',
    'intent_expired',
    'intent_declined',
    'intent_consumed',
    'intent_session_ended',
    'rate_limited',
    'database_unavailable',
  ],
})

export const getIntentRequest = endpoint({
  method: 'GET',
  path: '/auth/intents/{token}/request',
  name: 'getIntentRequest',
  summary: 'Who asks, for the approval page',
  description:
    'Only for browser sessions: where an application asks from is not told to whoever has seen the link.',
  tag: 'Authentication intents',
  params: token,
  responses: {
    200: Type.Object(
      {
        label: Type.Union([Type.String(), Type.Null()]),
        requested_from: Type.Object({
          network: Type.String({ description: 'The address the application asked from.' }),
          device: Type.String({ description: 'What its user agent says, in words.' }),
          site: Type.Union([Type.String(), Type.Null()], {
            description:
              'The origin of the page of another site that asks, if the request names one. A program can name any.',
          }),
          is_your_network: Type.Boolean({ description: 'The browser that asks is in the same network.' }),
        }),
        created_at: time,
        expires_at: time,
        max_age: Type.Integer({ description: 'Seconds the session will live.' }),
        confirmation_code: Type.String(),
        is_watched_by_others: Type.Boolean({
          description:
            'Two different callers have asked for the status: the link, or its token, was seen by somebody else.',
        }),
      },
      { description: 'What the person should know' },
    ),
  },
  problems: [
    'intent_not_found',
    'intent_expired',
    'intent_declined',
    'intent_already_linked',
    'sign_in_required',
    'browser_session_required',
    'database_unavailable',
  ],
})
