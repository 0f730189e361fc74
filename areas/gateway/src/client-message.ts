import { type ClientMessage, registerMessage, unregisterMessage } from '@patchbay/contracts/gateway'
import { Compile } from 'typebox/compile'

/** `state` is what an error should name; empty when the message named none that could be shown. */
export type Reading = { readonly message: ClientMessage } | { readonly wrong: string; readonly state: string }

const isRegister = Compile(registerMessage)
const isUnregister = Compile(unregisterMessage)
/** A state that is no UUID is quoted back, but not at any length. */
const LONGEST_QUOTED_STATE = 100

export function readClientMessage(text: string): Reading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { wrong: 'The message is not JSON.', state: '' }
  }
  if (isRegister.Check(value)) return { message: value }
  if (isUnregister.Check(value)) return { message: value }
  return { wrong: faultOf(value), state: quotedState(value) }
}

function faultOf(value: unknown): string {
  const type = memberOf(value, 'type')
  if (type !== 'register' && type !== 'unregister')
    return 'The type of a message is "register" or "unregister".'
  const [fault] = (type === 'register' ? isRegister : isUnregister).Errors(value)
  const member = fault?.instancePath.split('/')[1]
  const missing = fault?.keyword === 'required' ? fault.params.requiredProperties : []
  if (member === 'state' || missing.includes('state')) return 'The state of a flow is a UUID.'
  if (member === 'provider' || missing.includes('provider'))
    return 'A provider is a text of 1 to 100 characters.'
  return `The member "${member ?? 'type'}" is not as documented.`
}

function quotedState(value: unknown): string {
  const state = memberOf(value, 'state')
  return typeof state === 'string' && state.length <= LONGEST_QUOTED_STATE ? state : ''
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
