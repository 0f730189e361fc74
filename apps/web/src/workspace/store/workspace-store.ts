import type { CloseCodeName } from '@patchbay/contracts/core'
import type { PanelAction, PanelStateOf, WorkspaceMessage } from '@patchbay/contracts/panels'
import {
  applyChange,
  type Layout,
  type LayoutChange,
  type LayoutRules,
  type Step,
} from '@patchbay/workspace-layout'
import { isSameParty } from '../acting-party.ts'
import type { BasedOn, PanelState, ShownState, StateAnswer } from '../panel-definition.ts'
import { words } from '../words.tsx'
import {
  MOST_PENDING,
  NOTHING_PENDING,
  type Pending,
  type PendingMessage,
  replay,
  withMessage,
  without,
  withPatch,
} from './pending.ts'
import { type Link, NO_STATE, NOTHING_SHOWN, type SeenAction, type Snapshot } from './snapshot.ts'
import { patchState } from './state-patch.ts'

export interface StoreOptions {
  readonly rules: LayoutRules
  readonly newId: () => string
  /** In milliseconds; only differences count. */
  readonly now: () => number
  /** Called with what the server must be told. Only while the connection is open; the rest waits in the store. */
  readonly send: (message: PendingMessage) => void
  /** Called with every change that this page makes of the layout. What it answers is called if it comes to nothing later. */
  readonly onMade?: (step: Step) => () => void
  /** Called with every change that came to nothing. */
  readonly onRefused: (message: string) => void
}

export interface WorkspaceStore {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
  /** Shows a change at once and has it sent. Answers why not, where it cannot be made. `onLost`: it came to nothing later. */
  change(change: LayoutChange, initialState?: PanelState, onLost?: () => void): string | undefined
  setState(tabId: string, patch: PanelState, on?: BasedOn): void
  receive(message: Exclude<WorkspaceMessage, { type: 'command' }>): void
  /** What a command brings along, which may come before the message to everybody. */
  takeState(state: PanelStateOf): void
  setLink(link: Link, ending?: CloseCodeName): void
  /** Whether the server has everything that this page has done. */
  isSettled(): boolean
}

const SHOWN_ACTIONS = 50
/** After a lost connection the server tells its latest again. */
const REMEMBERED_ACTIONS = 200

/** What the workspace page shows: the server's layout with everything on top that this page has done since. */
export function createWorkspaceStore({
  rules,
  newId,
  now,
  send,
  onMade = () => () => {},
  onRefused,
}: StoreOptions): WorkspaceStore {
  const listeners = new Set<() => void>()
  let snapshot = NOTHING_SHOWN
  let serverLayout: Layout = NOTHING_SHOWN.layout
  let serverStates: ReadonlyMap<string, ShownState> = new Map()
  let pending: Pending = NOTHING_PENDING
  /** Under way, or perhaps there already: these are not changed anymore, only repeated. */
  const sent = new Set<string>()
  let heardActions: ReadonlySet<number> = new Set()
  const lost = new Map<string, () => void>()
  const awaited = new Map<string, { readonly tabId: string; readonly onAnswer: BasedOn['onAnswer'][] }>()

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
      lose(message.id)
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
    const all = [...snapshot.actions]
    for (const action of actions) {
      if (heardActions.has(action.id)) continue
      const last = all.at(-1)
      const isRepeated = last !== undefined && isSameAction(last, action)
      if (isRepeated) all.pop()
      all.push({ ...action, seenAt, times: isRepeated ? last.times + 1 : 1 })
    }
    heardActions = new Set([...heardActions, ...actions.map(({ id }) => id)].slice(-REMEMBERED_ACTIONS))
    return all.slice(-SHOWN_ACTIONS)
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
    for (const id of ids) {
      sent.delete(id)
      lost.delete(id)
    }
  }

  function lose(id: string): void {
    const tell = lost.get(id)
    lost.delete(id)
    tell?.()
  }

  /** After what the server says is shown: whoever hears of it looks at that. */
  function answer(ids: readonly string[], outcome: StateAnswer['outcome']): void {
    for (const id of ids) {
      const asked = awaited.get(id)
      awaited.delete(id)
      const shown = serverStates.get(asked?.tabId ?? '') ?? NO_STATE
      for (const tell of asked?.onAnswer ?? []) tell({ outcome, shown })
    }
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(change, initialState, onLost) {
      if (pending.messages.length >= MOST_PENDING) return words.changes.tooMany
      const outcome = applyChange(snapshot.layout, change, rules)
      if (outcome.refused !== undefined) return outcome.refused.message
      if (outcome.layout === snapshot.layout) return undefined
      const id = newId()
      const forget = onMade({ change, from: snapshot.layout, to: outcome.layout })
      lost.set(id, () => {
        forget()
        onLost?.()
      })
      queue({
        type: 'change',
        id,
        change,
        ...(initialState !== undefined && { initialState: { ...initialState } }),
      })
      show({ layout: outcome.layout })
      return undefined
    },
    setState(tabId, patch, on) {
      const joined = withPatch(pending, tabId, patch, (id) => sent.has(id), on !== undefined)
      const id = joined?.joined.id ?? newId()
      if (joined === undefined && pending.messages.length >= MOST_PENDING) {
        onRefused(words.changes.tooMany)
        on?.onAnswer({ outcome: 'refused', shown: serverStates.get(tabId) ?? NO_STATE })
        return
      }
      if (on !== undefined) {
        const asked = awaited.get(id)?.onAnswer ?? []
        awaited.set(id, { tabId, onAnswer: [...asked, on.onAnswer] })
      }
      if (joined !== undefined) pending = joined.pending
      else {
        const base = on === undefined ? {} : { base: on.revision }
        queue({ type: 'state', id, tabId, patch: { ...patch }, ...base })
      }
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
          const shown = rebased()
          show({ ...shown, stored: serverStates, version, mayChange, actions, link: 'open', hasOpened: true })
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
          show({ states: shownStates(), stored: serverStates })
          answer(message.ids, 'stored')
          return
        case 'refused': {
          const refused = pending.messages.find(({ id }) => id === message.id)
          lose(message.id)
          settle([message.id])
          if (message.shown !== undefined) mergeStates([message.shown])
          // Whoever named a base is asked what to do, with both at hand.
          const isOutdated = message.code === 'state_changed' && awaited.has(message.id)
          // What a panel would show whose tab is gone concerns nobody but itself.
          const isGone = message.code === 'no_such_tab' && refused?.type === 'state'
          if (!isOutdated && !isGone) onRefused(message.message)
          show({ ...rebased(), stored: serverStates })
          answer([message.id], isOutdated ? 'outdated' : 'refused')
          return
        }
        case 'owner':
          show({ owner: { isYou: message.isYou, browsers: message.browsers } })
          return
        case 'people':
          show({ pages: message.pages, pageId: message.you })
          return
        case 'rights':
          show({ mayChange: message.mayChange })
          return
        case 'acted':
          show({ actions: withActions(message.actions, now()) })
          return
        case 'channel':
          // For the parts of the page that have one.
          return
        default:
          // A server that is newer than this page says things that it does not know.
          message satisfies never
      }
    },
    takeState(state) {
      mergeStates([state])
      show({ states: shownStates(), stored: serverStates })
    },
    isSettled: () => pending.messages.length === 0,
    setLink(link, ending) {
      if (link !== snapshot.link || ending !== snapshot.ending) show({ link, ending })
    },
  }
}

/** Whether somebody did once more what was done last, as a script does that waits for a person. */
function isSameAction(one: PanelAction, other: PanelAction): boolean {
  return (
    one.action === other.action &&
    one.tabId === other.tabId &&
    one.reason === other.reason &&
    isSameParty(one.by, other.by)
  )
}
