import {
  type CallbackQuery,
  GATEWAY_ERROR_REASONS,
  type GatewayErrorReason,
} from '@patchbay/contracts/gateway'

/** What a gateway says about one state, checked by hand: a validator would be the package's largest part. */
export type Incoming =
  | { readonly type: 'registered'; readonly expiresInMs: number | undefined }
  | { readonly type: 'callback'; readonly code: string; readonly query: CallbackQuery }
  | {
      readonly type: 'error'
      readonly error: string
      readonly reason: GatewayErrorReason | undefined
      readonly query: CallbackQuery
    }
  | { readonly type: 'other' }
  | { readonly type: 'malformed' }

/** Types we do not know, and messages about states that are not ours, are nobody's fault: a newer gateway may send them. */
export function readMessage(text: string, state: string): Incoming {
  const message = parseObject(text)
  if (message === undefined) return { type: 'malformed' }
  // Compared as text, exactly: two spellings of one UUID are two states.
  if (message['state'] !== state) return { type: 'other' }
  switch (message['type']) {
    case 'registered':
      return { type: 'registered', expiresInMs: duration(message['expiresInMs']) }
    case 'callback':
      return readCallback(message)
    case 'error':
      return readError(message)
    default:
      return { type: 'other' }
  }
}

function readCallback({ code, query = {}, state }: Record<string, unknown>): Incoming {
  if (typeof code !== 'string' || code === '' || !isQuery(query)) return { type: 'malformed' }
  const echoed = query['state'] === undefined || query['state'] === state
  return echoed ? { type: 'callback', code, query } : { type: 'malformed' }
}

function readError({ error, reason, query = {} }: Record<string, unknown>): Incoming {
  if (typeof error !== 'string' || !isQuery(query)) return { type: 'malformed' }
  return { type: 'error', error, reason: isReason(reason) ? reason : undefined, query }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isQuery(value: unknown): value is CallbackQuery {
  return isObject(value) && Object.values(value).every(isParameter)
}

function isParameter(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

function isReason(value: unknown): value is GatewayErrorReason {
  return typeof value === 'string' && Object.hasOwn(GATEWAY_ERROR_REASONS, value)
}

function duration(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
