import type { BrowserMessage } from '@patchbay/contracts/panels'
import { type Layout, type LayoutRules, type Refusal, rebase } from '@patchbay/workspace-layout'
import type { PanelState } from '../panel-definition.ts'
import { joinPatches } from './state-patch.ts'

export type ChangeMessage = Extract<BrowserMessage, { type: 'change' }>
export type StateMessage = Extract<BrowserMessage, { type: 'state' }>
export type PendingMessage = ChangeMessage | StateMessage

/** More than anybody does by hand while a server restarts. */
export const MOST_PENDING = 500

/** What the page shows already and the server has not confirmed, in the order in which it was done. */
export interface Pending {
  readonly messages: readonly PendingMessage[]
}

export const NOTHING_PENDING: Pending = { messages: [] }

export function withMessage({ messages }: Pending, message: PendingMessage): Pending {
  return { messages: [...messages, message] }
}

export function without({ messages }: Pending, ids: readonly string[]): Pending {
  const gone = new Set(ids)
  return { messages: messages.filter(({ id }) => !gone.has(id)) }
}

/**
 * The last message of a panel that nobody has been sent yet takes a further patch in: who types for an hour without a
 * connection has one patch waiting and not thousands.
 */
export function withPatch(
  { messages }: Pending,
  tabId: string,
  patch: PanelState,
  isSent: (id: string) => boolean,
  isBased = false,
): { readonly pending: Pending; readonly joined: StateMessage } | undefined {
  const at = messages.findLastIndex((message) => message.type === 'state' && message.tabId === tabId)
  const last = messages[at]
  if (last?.type !== 'state' || isSent(last.id)) return undefined
  // Refused together, a new file name would be lost with a text that somebody else was faster with.
  if (isBased !== (last.base !== undefined)) return undefined
  const joined: StateMessage = { ...last, patch: { ...joinPatches(last.patch, patch) } }
  return { pending: { messages: messages.with(at, joined) }, joined }
}

export interface Replayed {
  readonly layout: Layout
  readonly pending: Pending
  readonly dropped: readonly { readonly message: ChangeMessage; readonly refused: Refusal }[]
}

/** The pending changes made on a newer layout. What does not fit any more is dropped. */
export function replay(serverLayout: Layout, pending: Pending, rules: LayoutRules): Replayed {
  const changes = pending.messages.filter((message) => message.type === 'change')
  const { layout, dropped } = rebase(
    serverLayout,
    changes.map(({ change }) => change),
    rules,
  )
  const refusedOf = new Map(dropped.map(({ change, refused }) => [change, refused]))
  const lost = changes.flatMap((message) => {
    const refused = refusedOf.get(message.change)
    return refused === undefined ? [] : [{ message, refused }]
  })
  return {
    layout,
    pending: without(
      pending,
      lost.map(({ message }) => message.id),
    ),
    dropped: lost,
  }
}
