import {
  attentionMessage,
  type BrowserMessage,
  changeMessage,
  channelMessage,
  doneMessage,
  failedMessage,
  lookMessage,
  openMessage,
  readyMessage,
  stateMessage,
  takenMessage,
} from '@patchbay/contracts/panels'
import { Compile } from 'typebox/compile'

/**
 * `unknown`: of a type that this server does not know. `invalid-change`: a change or state that can be answered by its id.
 * `invalid-result`: the answer to a command.
 */
export type ParsedMessage =
  | { readonly is: 'message'; readonly message: BrowserMessage }
  | { readonly is: 'invalid-change' | 'invalid-result'; readonly id: string }
  | { readonly is: 'unknown' | 'wrong' }

const CHECKS = {
  open: Compile(openMessage),
  attention: Compile(attentionMessage),
  look: Compile(lookMessage),
  change: Compile(changeMessage),
  state: Compile(stateMessage),
  ready: Compile(readyMessage),
  taken: Compile(takenMessage),
  done: Compile(doneMessage),
  failed: Compile(failedMessage),
  channel: Compile(channelMessage),
} as const satisfies Record<BrowserMessage['type'], unknown>

const LONGEST_ID = 64

export function readBrowserMessage(text: string): ParsedMessage {
  const value = parse(text)
  const type = memberOf(value, 'type')
  if (typeof type !== 'string') return { is: 'wrong' }
  if (!isKnown(type)) return { is: 'unknown' }
  if (CHECKS[type].Check(value)) return { is: 'message', message: value as BrowserMessage }
  const id = memberOf(value, 'id')
  if (typeof id !== 'string' || id.length === 0 || id.length > LONGEST_ID) return { is: 'wrong' }
  if (type === 'change' || type === 'state') return { is: 'invalid-change', id }
  return type === 'done' || type === 'failed' ? { is: 'invalid-result', id } : { is: 'wrong' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKnown(type: string): type is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, type)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
