import type { CallbackOutcome } from '@patchbay/contracts/gateway'
import { callbackFrame, type Parameters, providerErrorFrame } from './gateway-frame.ts'
import type { Malformation } from './pages/malformed-page.ts'

/** What a provider sent a person back with, and the finished message for the client that waits for it. */
export interface ProviderAnswer {
  readonly state: string
  readonly frame: string
  /** What the person is told once the client has it: an error is explained whether or not anybody waits for it. */
  readonly outcome: Extract<CallbackOutcome, 'done' | 'access-denied' | 'provider-error'>
}

export type AnswerReading = ProviderAnswer | { readonly malformed: Malformation }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Of two codes, states or issuers one is an attacker's, and nobody can tell which. */
const ONCE = ['code', 'state', 'iss'] as const

/** `text` is the query or the form body as it came. */
export function readProviderAnswer(text: string): AnswerReading {
  const query = parametersOf(text)
  if (ONCE.some((name) => Array.isArray(query.get(name)))) return { malformed: 'repeated-parameter' }
  const state = single(query, 'state')
  if (!UUID.test(state)) return { malformed: 'no-state' }
  const code = single(query, 'code')
  if (code !== '') return { state, frame: callbackFrame(state, code, query), outcome: 'done' }
  const error = single(query, 'error')
  if (error === '') return { malformed: 'no-answer' }
  return {
    state,
    frame: providerErrorFrame(state, error, query),
    outcome: error === 'access_denied' ? 'access-denied' : 'provider-error',
  }
}

function parametersOf(text: string): Parameters {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query.get(name)
    if (before === undefined) query.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else query.set(name, [before, value])
  }
  return query
}

/** Empty when it is not there. Of an error that came several times, the first counts. */
function single(query: Parameters, name: string): string {
  const value = query.get(name) ?? ''
  return typeof value === 'string' ? value : (value[0] ?? '')
}
