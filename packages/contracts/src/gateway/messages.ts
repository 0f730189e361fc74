import { type Static, Type } from 'typebox'

/** The contract calls for a UUID and compares it as text: two spellings are two states. */
const state = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'A UUID, fresh for every flow.',
})

const name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

/** Unknown members are ignored, so that a newer client can talk to an older gateway. */
export const registerMessage = Type.Object(
  {
    type: Type.Literal('register'),
    state,
    provider: name('What the person is connecting to, for the pages they see.'),
    label: Type.Optional(name('Which application asks, for the page that asks the person to confirm.')),
    resumeChallenge: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'The base64url SHA-256 of a secret with which the registration can be resumed.',
      }),
    ),
    resumeVerifier: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43,128}$',
        description: 'That secret. Takes the registration over from a connection that was lost.',
      }),
    ),
  },
  { title: 'register', description: 'Binds a state to this connection for 10 minutes. First writer wins.' },
)

export const unregisterMessage = Type.Object(
  { type: Type.Literal('unregister'), state },
  { title: 'unregister', description: 'Gives up a state of this connection.' },
)

/** What a gateway may answer with `error`. Clients switch on it; the `error` text is for people. */
export const GATEWAY_ERROR_REASONS = {
  invalid_message: 'The message is not one of the documented ones',
  state_taken: 'This state is registered already, or was used before',
  not_registered: 'This connection has not registered this state',
  too_many_registrations: 'This connection or address has as many registrations as it may',
  unavailable: 'The gateway cannot register or give up states right now; try again',
  expired: 'Nobody came back from the provider within 10 minutes',
  superseded: 'Another connection has resumed this registration',
  provider_error: 'The provider sent the person back with an error',
  declined: 'The person declined to pass the answer on',
} as const satisfies Record<string, string>

export type GatewayErrorReason = keyof typeof GATEWAY_ERROR_REASONS

const query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description:
    'Every parameter that the provider sent, unmodified. One that came several times is a list; code, state and iss never are.',
})

export const registeredMessage = Type.Object(
  {
    type: Type.Literal('registered'),
    state,
    expiresInMs: Type.Optional(Type.Integer({ description: 'How much longer the registration lasts.' })),
  },
  { title: 'registered', description: 'The state is bound to this connection.' },
)

export const callbackMessage = Type.Object(
  {
    type: Type.Literal('callback'),
    state,
    code: Type.String({ description: 'The authorization code.' }),
    query,
  },
  { title: 'callback', description: 'The person came back with a code. Sent at most once per state.' },
)

export const errorMessage = Type.Object(
  {
    type: Type.Literal('error'),
    state: Type.String({ description: 'The state it is about; empty when the message named none.' }),
    error: Type.String({ description: 'A sentence, or the error code that the provider gave.' }),
    reason: Type.Optional(
      Type.Enum(Object.keys(GATEWAY_ERROR_REASONS) as [GatewayErrorReason, ...GatewayErrorReason[]]),
    ),
    query: Type.Optional(query),
  },
  { title: 'error', description: 'A message was refused, or a registration has ended without a code.' },
)

export const clientMessage = Type.Union([registerMessage, unregisterMessage])
export const gatewayMessage = Type.Union([registeredMessage, callbackMessage, errorMessage])

export type RegisterMessage = Static<typeof registerMessage>
export type ClientMessage = Static<typeof clientMessage>
export type GatewayMessage = Static<typeof gatewayMessage>
export type CallbackQuery = Static<typeof query>
