import {
  GATEWAY_ERROR_REASONS,
  type GatewayErrorReason,
  type GatewayMessage,
} from '@patchbay/contracts/gateway'

/** Messages are made where they arise and travel as finished text: the node that holds the socket parses nothing. */
function frame(message: GatewayMessage): string {
  return JSON.stringify(message)
}

export function registeredFrame(state: string, expiresInMs: number): string {
  return frame({ type: 'registered', state, expiresInMs })
}

export function errorFrame(state: string, reason: GatewayErrorReason, text?: string): string {
  return frame({ type: 'error', state, error: text ?? GATEWAY_ERROR_REASONS[reason], reason })
}

/** What a provider sent: each name with its value, or with all of them in order. */
export type Parameters = ReadonlyMap<string, string | readonly string[]>

/** A state is a UUID here, which needs no escaping. */
export function callbackFrame(state: string, code: string, query: Parameters): string {
  return `{"type":"callback","state":"${state}","code":${json(code)},"query":${queryText(query)}}`
}

export function providerErrorFrame(state: string, error: string, query: Parameters): string {
  const head = `{"type":"error","state":"${state}","error":${json(error)},"reason":"provider_error"`
  return `${head},"query":${queryText(query)}}`
}

/**
 * Written by hand: names are the provider's, `__proto__` too, which an ordinary object would swallow, and an object
 * without a prototype is turned into text five times slower.
 */
function queryText(query: Parameters): string {
  let members = ''
  for (const [name, value] of query) members += `${members === '' ? '' : ','}${json(name)}:${json(value)}`
  return `{${members}}`
}

function json(value: string | readonly string[]): string {
  return JSON.stringify(value)
}
