import type { BrowserMessage } from '@patchbay/contracts/panels'
import { createValueStore, type ValueStore } from '../../parts/value-store.ts'
import type { DockPort } from '../dock-port.ts'
import type { SeenAction } from '../store/snapshot.ts'
import type { WorkspaceStore } from '../store/workspace-store.ts'
import { AGENT_PRESENT_MS, leadsTo, ownHandle, type Person, peopleOf } from './people.ts'
import { words } from './words.ts'

export interface PresenceOptions {
  readonly store: Pick<WorkspaceStore, 'getSnapshot' | 'subscribe' | 'isSettled'>
  readonly dock: () => Pick<DockPort, 'follow' | 'shownBeside' | 'currentTab'> | undefined
  readonly send: (message: Extract<BrowserMessage, { type: 'look' }>) => void
  /** In milliseconds; only differences count. */
  readonly now: () => number
  /** In milliseconds since 1970. */
  readonly date: () => number
  readonly tell: (title: string) => void
}

/** Who else is in the workspace and what they look at, what this person looks at, and whom they follow. */
export interface Presence {
  readonly people: ValueStore<readonly Person[]>
  readonly following: ValueStore<Person | undefined>
  /** From now on the tab that they use shows here as well, until this person does something themselves. */
  follow(key: string): void
  stop(): void
  /** The person has turned to a tab. */
  use(tabId: string): void
  /** What shows may be another tab now. */
  look(): void
  start(): () => void
}

export function createPresence({ store, dock, send, now, date, tell }: PresenceOptions): Presence {
  const people = createValueStore<readonly Person[]>([])
  const following = createValueStore<Person | undefined>(undefined)
  /** The tab that the person used last. */
  let used: string | undefined
  /** The tab of the one who is followed, once it shows here. */
  let followedTab: string | undefined
  let said = ''
  let read: unknown[] = []
  let expiry: ReturnType<typeof setTimeout> | undefined

  /** Of what had happened before the page was opened, the server's time is all there is. */
  const ageOf = ({ seenAt, at }: SeenAction) => (seenAt === 0 ? date() - Date.parse(at) : now() - seenAt)

  function refresh(): void {
    const { link, pages, pageId, actions } = store.getSnapshot()
    // The server forgets a page that it has no connection to.
    if (link !== 'open') said = ''
    if (read[0] !== pages || read[1] !== actions) {
      read = [pages, actions]
      readPeople()
    }
    if (pageId !== '') step()
    look()
  }

  function readPeople(): void {
    const snapshot = store.getSnapshot()
    const next = peopleOf(snapshot, ageOf)
    // The same people are the same value: every tab looks at them.
    if (JSON.stringify(next) !== JSON.stringify(people.get())) people.set(next)
    clearTimeout(expiry)
    const left = snapshot.actions
      .filter(({ by }) => by.kind !== 'browser')
      .map((action) => AGENT_PRESENT_MS - ageOf(action))
      .filter((ms) => ms > 0)
    if (left.length === 0) return
    expiry = setTimeout(
      () => {
        readPeople()
        step()
      },
      Math.min(...left),
    )
  }

  /** Goes where the one goes who is followed. */
  function step(): void {
    const before = following.get()
    if (before === undefined) return
    const person = people.get().find(({ key }) => key === before.key)
    if (person === undefined) {
      stop()
      return tell(words.left[before.kind](before.name))
    }
    // Two who follow each other would turn each other’s tabs for ever.
    if (leadsTo(person, ownHandle(store.getSnapshot()), people.get())) {
      stop()
      return tell(words.followsYou(person.name))
    }
    following.set(person)
    const { tabId } = person
    if (tabId === undefined || tabId === followedTab || dock()?.follow(tabId) !== true) return
    followedTab = tabId
    used = tabId
  }

  function stop(): void {
    following.set(undefined)
    followedTab = undefined
    look()
  }

  function look(): void {
    const shown = dock()
    // A tab that the server has not confirmed yet would count as none.
    if (shown === undefined || store.getSnapshot().link !== 'open' || !store.isSettled()) return
    const tabId = (used === undefined ? undefined : shown.shownBeside(used)) ?? shown.currentTab() ?? null
    const person = following.get()
    const message = {
      type: 'look',
      tabId,
      following: person?.kind === 'person' ? person.handle : null,
    } as const
    const text = JSON.stringify(message)
    if (text === said) return
    said = text
    send(message)
  }

  return {
    people,
    following,
    follow(key) {
      const person = people.get().find((each) => each.key === key)
      if (person === undefined) return
      followedTab = undefined
      following.set(person)
      step()
      look()
    },
    stop,
    use(tabId) {
      used = tabId
      if (following.get() !== undefined && tabId !== followedTab) stop()
      else look()
    },
    look() {
      step()
      look()
    },
    start() {
      refresh()
      const unsubscribe = store.subscribe(refresh)
      return () => {
        unsubscribe()
        clearTimeout(expiry)
      }
    },
  }
}
