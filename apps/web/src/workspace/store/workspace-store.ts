import type { CloseCodeName, PanelAction, PanelStateOf, WorkspaceMessage } from '@patchbay/contracts'
import { applyChange, type Layout, type LayoutChange, type LayoutRules } from '@patchbay/workspace-layout'
import type { PanelState } from '../panels/panel-definition.ts'
import {
  MOST_PENDING,
  NOTHING_PENDING,
  type Pending,
  type PendingMessage,
  replay,
  without,
  withMessage,
  withPatch,
} from './pending.ts'
import {
  type Link,
  NO_STATE,
  NOTHING_SHOWN,
  type SeenAction,
  type ShownState,
  type Snapshot,
} from './snapshot.ts'
import { patchState } from './state-patch.ts'

export interface StoreOptions {
  readonly rules: LayoutRules
  readonly newId: () => string
  /** In milliseconds; only differences count. */
  readonly now: () => number
  /** Called with what the server must be told. Only while the connection is open; the rest waits in the store. */
  readonly send: (message: PendingMessage) => void
  /** Called with every change that came to nothing. */
  readonly onRefused: (message: string) => void
}

export interface WorkspaceStore {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
  /** Shows a change at once and has it sent. Answers why not, where it cannot be made. */
  change(change: LayoutChange, initialState?: PanelState): string | undefined
  setState(tabId: string, patch: PanelState): void
  receive(message: Exclude<WorkspaceMessage, { type: 'command' }>): void
  /** What a command brings along, which may come before the message to everybody. */
  takeState(state: PanelStateOf): void
  setLink(link: Link, ending?: CloseCodeName): void
}

const SHOWN_ACTIONS = 50
const TOO_MANY = 'Too much is waiting for the connection. Wait until it is back.'

/** What the workspace page shows: the server's layout with everything on top that this page has done since. */
export function createWorkspaceStore({ rules, newId, now, send, onRefused }: StoreOptions): WorkspaceStore {
  const listeners = new Set<() => void>()
  let snapshot = NOTHING_SHOWN
  let serverLayout: Layout = NOTHING_SHOWN.layout
  let serverStates: ReadonlyMap<string, ShownState> = new Map()
  let pending: Pending = NOTHING_PENDING
  /** Under way, or perhaps there already: these are not changed any more, only repeated. */
  const sent = new Set<string>()

  function show(next: Partial<Snapshot>): void {
    snapshot = { ...snapshot, ...next }
    for (const listener of listeners) listener()
  }

  function shownStates(): ReadonlyMap<string, ShownState> {
    const states = new Map(serverStates)
    for (const message of pending.messages) {
      if (message.type !== 'state') continue
      const { revision, state } = states.get(message.tabId) ?? NO_STATE
      states.set(message.tabId, { revision, state: patchState(state, message.patch) })
    }
    return states
  }

  /** What is shown anew after the server's side or the pending ones have changed. */
  function rebased(): Partial<Snapshot> {
    const { layout, pending: kept, dropped } = replay(serverLayout, pending, rules)
    pending = kept
    for (const { message, refused } of dropped) {
      sent.delete(message.id)
      // What was to go is gone: somebody else was faster, or it is our own change that the server made already.
      const isDone = message.change.type === 'removeTab' && refused.code === 'no_such_tab'
      if (!isDone) onRefused(refused.message)
    }
    return { layout, states: shownStates() }
  }

  function mergeStates(states: readonly PanelStateOf[]): void {
    const merged = new Map(serverStates)
    for (const { tabId, revision, state } of states) {
      // A command and the message to everybody overtake each other.
      if (revision >= (merged.get(tabId)?.revision ?? 0)) merged.set(tabId, { revision, state })
    }
    serverStates = merged
  }

  function withActions(actions: readonly PanelAction[], seenAt: number): readonly SeenAction[] {
    const known = new Set(snapshot.actions.map(({ id }) => id))
    const fresh = actions.filter(({ id }) => !known.has(id)).map((action) => ({ ...action, seenAt }))
    return [...snapshot.actions, ...fresh].slice(-SHOWN_ACTIONS)
  }

  function queue(message: PendingMessage): void {
    pending = withMessage(pending, message)
    if (snapshot.link === 'open') deliver(message)
  }

  function deliver(message: PendingMessage): void {
    sent.add(message.id)
    send(message)
  }

  function settle(ids: readonly string[]): void {
    pending = without(pending, ids)
    for (const id of ids) sent.delete(id)
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(change, initialState) {
      if (pending.messages.length >= MOST_PENDING) return TOO_MANY
      const outcome = applyChange(snapshot.layout, change, rules)
      if (outcome.refused !== undefined) return outcome.refused.message
      if (outcome.layout === snapshot.layout) return undefined
      queue({
        type: 'change',
        id: newId(),
        change,
        ...(initialState !== undefined && { initialState: { ...initialState } }),
      })
      show({ layout: outcome.layout })
      return undefined
    },
    setState(tabId, patch) {
      const joined = withPatch(pending, tabId, patch, (id) => sent.has(id))
      if (joined !== undefined) pending = joined.pending
      else if (pending.messages.length >= MOST_PENDING) return onRefused(TOO_MANY)
      else queue({ type: 'state', id: newId(), tabId, patch: { ...patch } })
      show({ states: shownStates() })
    },
    receive(message) {
      switch (message.type) {
        case 'opened': {
          serverLayout = message.layout
          serverStates = new Map(
            message.states.map(({ tabId, revision, state }) => [tabId, { revision, state }]),
          )
          const { version, mayChange } = message
          const actions = withActions(message.actions, snapshot.hasOpened ? now() : 0)
          show({ ...rebased(), version, mayChange, actions, link: 'open', hasOpened: true })
          // Again, with the same ids: what the server has made already it does not make twice.
          for (const waiting of pending.messages) deliver(waiting)
          return
        }
        case 'changed':
          settle(message.ids)
          if (message.version >= snapshot.version) serverLayout = message.layout
          show({ ...rebased(), version: Math.max(message.version, snapshot.version) })
          return
        case 'states':
          settle(message.ids)
          mergeStates(message.states)
          show({ states: shownStates() })
          return
        case 'refused':
          settle([message.id])
          onRefused(message.message)
          show(rebased())
          return
        case 'owner':
          show({ owner: { isYou: message.isYou, browsers: message.browsers } })
          return
        case 'acted':
          show({ actions: withActions(message.actions, now()) })
          return
        default:
          // A server that is newer than this page says things that it does not know.
          message satisfies never
      }
    },
    takeState(state) {
      mergeStates([state])
      show({ states: shownStates() })
    },
    setLink(link, ending) {
      if (link !== snapshot.link || ending !== snapshot.ending) show({ link, ending })
    },
  }
}
