import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, shownText } from '../core/handles.ts'
import { person } from './sessions.ts'

const issuer = Type.Object({
  issuer: Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'The short name the operator gave it.' }),
})
/** Where a sign-in leads: a path of this installation, never another site. */
const returnTo = Type.Optional(
  Type.String({ maxLength: 500, pattern: '^/(?![/\\\\])[^\\\\\\s]*$', default: '/' }),
)
const invitation = Type.Optional(Type.String({ maxLength: 100 }))
const displayName = shownText(80, 'How the person is called on pages.')
/** As the browser made it; the library that checks it knows its shape. */
const webauthn = Type.Record(Type.String(), Type.Unknown())

export const SIGN_UP_POLICIES = ['invited', 'issuer', 'open'] as const
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number]

export const getSignInOptions = endpoint({
  method: 'GET',
  path: '/auth/sign-in',
  name: 'getSignInOptions',
  summary: 'The ways to sign in to this installation',
  tag: 'Sign-in',
  responses: {
    200: Type.Object({
      issuers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      sign_up: Type.Enum([...SIGN_UP_POLICIES], {
        description:
          '`open`: anybody may make an account with a passkey or an issuer. `issuer`: whoever an issuer vouches for. `invited`: only with an invitation.',
      }),
    }),
  },
})

export const getOidcStart = endpoint({
  method: 'GET',
  path: '/auth/oidc/{issuer}/start',
  name: 'startOidcSignIn',
  summary: 'Sends the browser to an issuer',
  tag: 'Sign-in',
  params: issuer,
  query: Type.Object({ return_to: returnTo, invitation }),
  responses: { 303: null },
})

export const getOidcCallback = endpoint({
  method: 'GET',
  path: '/auth/oidc/{issuer}/callback',
  name: 'finishOidcSignIn',
  summary: 'Where an issuer sends the browser back to',
  description:
    'Ends at `return_to` with a session, at `/sign-up` for somebody new, or at `/sign-in?problem=…` with the code of what went wrong.',
  tag: 'Sign-in',
  params: issuer,
  query: Type.Object({}, { additionalProperties: true }),
  responses: { 303: null },
})

export const getSignUp = endpoint({
  method: 'GET',
  path: '/auth/sign-up',
  name: 'getPendingSignUp',
  summary: 'The account that this browser is about to make, after an issuer vouched for the person',
  tag: 'Sign-in',
  responses: {
    200: Type.Object({
      issuer_name: Type.String(),
      suggested_handle: Type.String(),
      display_name: Type.String(),
      return_to: Type.String(),
    }),
  },
  problems: ['ceremony_expired', 'database_unavailable'],
})

export const postSignUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up',
  name: 'finishSignUp',
  summary: 'Makes that account',
  tag: 'Sign-in',
  body: Type.Object({ handle, display_name: displayName }, { additionalProperties: false }),
  responses: { 201: Type.Object({ person, return_to: Type.String() }) },
  problems: [
    'handle_taken',
    'ceremony_expired',
    'sign_up_closed',
    'invitation_invalid',
    'rate_limited',
    'database_unavailable',
  ],
})

export const postPasskeySignInOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/sign-in/options',
  name: 'beginPasskeySignIn',
  summary: 'What a browser needs to ask for a passkey',
  tag: 'Sign-in',
  responses: { 200: webauthn },
  problems: ['rate_limited', 'database_unavailable'],
})

export const postPasskeySignIn = endpoint({
  method: 'POST',
  path: '/auth/passkeys/sign-in',
  name: 'finishPasskeySignIn',
  summary: 'Signs in with what the passkey answered',
  tag: 'Sign-in',
  body: Type.Object({ credential: webauthn }, { additionalProperties: false }),
  responses: { 200: Type.Object({ person }) },
  problems: [
    'passkey_refused',
    'ceremony_expired',
    'account_disabled',
    'rate_limited',
    'database_unavailable',
  ],
})

export const postPasskeySignUpOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/sign-up/options',
  name: 'beginPasskeySignUp',
  summary: 'What a browser needs to make a passkey for a new account',
  tag: 'Sign-in',
  body: Type.Object({ handle, display_name: displayName, invitation }, { additionalProperties: false }),
  responses: { 200: webauthn },
  problems: ['handle_taken', 'sign_up_closed', 'invitation_invalid', 'rate_limited', 'database_unavailable'],
})

export const postPasskeySignUp = endpoint({
  method: 'POST',
  path: '/auth/passkeys/sign-up',
  name: 'finishPasskeySignUp',
  summary: 'Makes the account with the passkey that was made',
  tag: 'Sign-in',
  body: Type.Object({ credential: webauthn }, { additionalProperties: false }),
  responses: { 201: Type.Object({ person }) },
  problems: [
    'handle_taken',
    'passkey_refused',
    'ceremony_expired',
    'invitation_invalid',
    'rate_limited',
    'database_unavailable',
  ],
})

export const postInvitationAccept = endpoint({
  method: 'POST',
  path: '/auth/invitations/accept',
  name: 'acceptInvitation',
  summary: 'Makes whoever is signed in an administrator, and uses the invitation up',
  description: 'For a link that makes an administrator. Other invitations make accounts, and are 400 here.',
  tag: 'Sign-in',
  body: Type.Object({ invitation: Type.String({ maxLength: 100 }) }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [
    'sign_in_required',
    'not_permitted',
    'csrf_token_required',
    'invitation_invalid',
    'rate_limited',
    'database_unavailable',
  ],
})

export const postInvitationCheck = endpoint({
  method: 'POST',
  path: '/auth/invitations/check',
  name: 'checkInvitation',
  summary: 'Whether an invitation can still be used, and for what',
  tag: 'Sign-in',
  body: Type.Object({ invitation: Type.String({ maxLength: 100 }) }, { additionalProperties: false }),
  responses: {
    200: Type.Object({ makes_admin: Type.Boolean(), expires_at: Type.String({ format: 'date-time' }) }),
  },
  problems: ['invitation_invalid', 'rate_limited', 'database_unavailable'],
})
