import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'

const time = Type.String({ format: 'date-time' })
const webauthn = Type.Record(Type.String(), Type.Unknown())
const id = Type.Object({ id: Type.String({ format: 'uuid' }) })
const refusals = ['sign_in_required', 'browser_session_required', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required'] as const

export const passkey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  label: Type.String(),
  created_at: time,
  last_used_at: Type.Union([time, Type.Null()]),
  is_synced: Type.Boolean({
    description: 'Kept by a password manager or an account, not by one device alone.',
  }),
})
export type Passkey = Static<typeof passkey>

export const getPasskeys = endpoint({
  method: 'GET',
  path: '/auth/passkeys',
  name: 'listPasskeys',
  summary: 'The passkeys of the person',
  tag: 'Passkeys',
  responses: { 200: Type.Object({ items: Type.Array(passkey) }) },
  problems: [...refusals],
})

export const postPasskeyOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/options',
  name: 'beginPasskey',
  summary: 'What a browser needs to make a further passkey',
  tag: 'Passkeys',
  responses: { 200: webauthn },
  problems: [...changeRefusals, 'limit_reached', 'rate_limited'],
})

export const postPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys',
  name: 'addPasskey',
  summary: 'Adds the passkey that was made',
  tag: 'Passkeys',
  body: Type.Object(
    { credential: webauthn, label: shownText(60, 'How the person tells it from others.') },
    { additionalProperties: false },
  ),
  responses: { 201: passkey },
  problems: [...changeRefusals, 'passkey_refused', 'ceremony_expired', 'limit_reached'],
})

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  name: 'removePasskey',
  summary: 'Removes a passkey, but never the last way to sign in',
  tag: 'Passkeys',
  params: id,
  responses: { 204: null },
  problems: [...changeRefusals, 'not_found', 'last_way_in'],
})
