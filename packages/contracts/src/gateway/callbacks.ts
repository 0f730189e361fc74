import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'

/** How a code reaches the client that asked for it. */
export const DELIVERY_MODES = ['direct', 'confirm'] as const
export type DeliveryMode = (typeof DELIVERY_MODES)[number]

/** What became of a callback. Each is a page of its own, so that no answer of a provider stays in an address bar. */
export const CALLBACK_OUTCOMES = [
  'done',
  'access-denied',
  'provider-error',
  'declined',
  'unknown-state',
  'client-gone',
  'client-silent',
  'gateway-unavailable',
] as const
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number]

const parameter = (description: string) => Type.Optional(Type.Unknown({ description }))

/** Read from the request as it came, so that a repeated parameter is seen and nothing is rewritten. */
const answer = Type.Object(
  {
    code: parameter('The authorization code.'),
    state: parameter('The state the client registered.'),
    iss: parameter('The issuer, as RFC 9207 has it.'),
    error: parameter('Why there is no code.'),
  },
  { additionalProperties: true, description: 'Every parameter reaches the client as it came.' },
)

const page = (description: string) => ({ mediaType: 'text/html', description })

export const getCallback = endpoint({
  method: 'GET',
  path: '/callback',
  name: 'getCallback',
  summary: 'Where a provider sends people back to',
  description:
    'Hands the code to the connection that registered the state, or asks the person first in `confirm` mode, and ' +
    'redirects to a page whose address holds nothing of the answer.',
  tag: 'Gateway',
  query: answer,
  responses: { 303: null, 400: page('The answer is malformed, or a parameter is repeated') },
})

export const postCallback = endpoint({
  ...getCallback,
  method: 'POST',
  name: 'postCallback',
  summary: 'The same for providers that answer with `response_mode=form_post`',
})

export const getCallbackResult = endpoint({
  method: 'GET',
  path: '/callback/result/{outcome}',
  name: 'getCallbackResult',
  summary: 'The page that tells the person how it ended',
  tag: 'Gateway',
  params: Type.Object({ outcome: Type.Enum([...CALLBACK_OUTCOMES]) }),
  responses: { 200: page('The page') },
})

const flow = Type.Object({
  flow: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', description: 'A digest of the state.' }),
})

export const getConfirmation = endpoint({
  method: 'GET',
  path: '/callback/confirm/{flow}',
  name: 'getConfirmation',
  summary: 'The page that asks the person before anything is delivered',
  tag: 'Gateway',
  params: flow,
  responses: { 200: page('The page'), 303: null },
})

export const postConfirmation = endpoint({
  method: 'POST',
  path: '/callback/confirm/{flow}',
  name: 'postConfirmation',
  summary: 'The answer of the person: deliver or decline',
  tag: 'Gateway',
  params: flow,
  responses: { 303: null },
  problems: ['origin_not_allowed'],
})

export const getGatewayStatus = endpoint({
  method: 'GET',
  path: '/status',
  name: 'getGatewayStatus',
  summary: 'How many registrations are pending, and since when the node runs',
  tag: 'Gateway',
  responses: {
    200: Type.Object(
      {
        status: Type.Literal('ok'),
        pending: Type.Integer({
          description: 'Registrations on all nodes; on this one while the bus is away.',
        }),
        pendingHere: Type.Integer({ description: 'Registrations on this node.' }),
        sockets: Type.Integer({ description: 'Open connections on this node.' }),
        uptimeSeconds: Type.Number(),
        bus: Type.Enum(['in-process', 'reachable', 'unreachable']),
        delivery: Type.Enum([...DELIVERY_MODES]),
        callbackUrl: Type.String({ description: 'The redirect URI to register with providers.' }),
        node: Type.String(),
        version: Type.String(),
      },
      { description: 'The state of this node' },
    ),
  },
})
