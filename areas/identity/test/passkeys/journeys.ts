import { expect } from 'vitest'
import { Visitor } from '../accounts/visitor.ts'
import type { IdentityNode } from '../start.ts'
import type { Device, Json } from './device.ts'

export const ORIGIN = 'http://patchbay.localhost'

export interface SignUpBody {
  readonly handle: string
  readonly display_name: string
  readonly invitation?: string
}

export async function optionsFrom(response: Response): Promise<Json> {
  expect(response.status).toBe(200)
  const options: Json = await response.json()
  return options
}

export async function signUpOptions(visitor: Visitor, body: SignUpBody): Promise<Json> {
  return await optionsFrom(await visitor.post('/auth/passkeys/sign-up/options', body))
}

export async function signInOptions(visitor: Visitor): Promise<Json> {
  return await optionsFrom(await visitor.post('/auth/passkeys/sign-in/options'))
}

/** A new person, in a browser of their own, with one passkey. */
export async function signUp(node: IdentityNode, device: Device, handle: string): Promise<Visitor> {
  const visitor = new Visitor(node)
  const credential = await device.create(await signUpOptions(visitor, { handle, display_name: handle }))
  const made = await visitor.post('/auth/passkeys/sign-up', { credential })
  expect(made.status).toBe(201)
  return visitor
}

/** What the device answers to a fresh challenge, after `alter` had its way with what it is asked for. */
export async function assertion(
  visitor: Visitor,
  device: Device,
  alter: (options: Json) => Json = (options) => options,
): Promise<Json> {
  return await device.get(alter(await signInOptions(visitor)))
}

export async function signIn(visitor: Visitor, credential: Json): Promise<Response> {
  return await visitor.post('/auth/passkeys/sign-in', { credential })
}

/** A change by a signed-in page: with the CSRF token of its session. */
export async function change(
  visitor: Visitor,
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Response> {
  const { csrf_token: csrf } = await (await visitor.ask('/auth/session')).json()
  return await visitor.ask(path, {
    method,
    headers: {
      origin: ORIGIN,
      'x-csrf-token': String(csrf),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export async function passkeysOf(visitor: Visitor): Promise<(Json & { readonly id: string })[]> {
  const { items } = await (await visitor.ask('/auth/passkeys')).json()
  return items
}
