import { type PresentPage, personColor } from '@patchbay/contracts/panels'
import type { SeenAction } from '../store/snapshot.ts'

/** Somebody who is in the workspace: a person with all of their pages, or an agent that acts on it. */
export interface Person {
  readonly key: string
  readonly kind: 'person' | 'agent'
  /** As they call themselves, or as the key or application is called. */
  readonly name: string
  /** Of the person; of an agent, whose it is. */
  readonly handle: string
  readonly color: number
  /** The tab that they use, or acted on last. */
  readonly tabId: string | undefined
  /** Whether no page of theirs can be seen. */
  readonly isAway: boolean
  readonly pages: number
  /** The handle of the person whom they follow. */
  readonly following: string | undefined
}

/** How long after its last action an agent is there. */
export const AGENT_PRESENT_MS = 120_000

export interface Present {
  readonly pages: readonly PresentPage[]
  readonly pageId: string
  readonly actions: readonly SeenAction[]
}

/** Everybody but the person of this page: those who came first first, then agents by name. */
export function peopleOf(
  { pages, pageId, actions }: Present,
  ageOf: (action: SeenAction) => number,
): Person[] {
  return [...personsOf(pages, ownHandle({ pages, pageId })), ...agentsOf(actions, ageOf)]
}

export function ownHandle({ pages, pageId }: Pick<Present, 'pages' | 'pageId'>): string | undefined {
  return pages.find((page) => page.pageId === pageId)?.handle
}

function personsOf(pages: readonly PresentPage[], own: string | undefined): Person[] {
  const byHandle = Map.groupBy(pages, ({ handle }) => handle)
  return [...byHandle]
    .filter(([handle]) => handle !== own)
    .map(([handle, theirs]) => ({
      handle,
      theirs,
      since: theirs.map(({ since }) => since).toSorted()[0] ?? '',
    }))
    .toSorted((one, other) => compare(one.since, other.since) || compare(one.handle, other.handle))
    .flatMap(({ handle, theirs: [latest, ...rest] }): Person[] =>
      latest === undefined
        ? []
        : [
            {
              key: handle,
              kind: 'person',
              name: latest.name,
              handle,
              color: latest.color,
              tabId: latest.tabId ?? undefined,
              isAway: !latest.isVisible,
              pages: rest.length + 1,
              following: latest.following ?? undefined,
            },
          ],
    )
}

function agentsOf(actions: readonly SeenAction[], ageOf: (action: SeenAction) => number): Person[] {
  const agents = new Map<string, Person>()
  for (const action of actions) {
    const { kind, name, handle } = action.by
    if (kind === 'browser' || ageOf(action) >= AGENT_PRESENT_MS) continue
    const key = `${handle} ${kind} ${name}`
    const tabId = action.tabId ?? agents.get(key)?.tabId
    const color = personColor(handle)
    agents.set(key, {
      key,
      kind: 'agent',
      name,
      handle,
      color,
      tabId,
      isAway: false,
      pages: 0,
      following: undefined,
    })
  }
  return [...agents.values()].toSorted((one, other) => compare(one.key, other.key))
}

/** Whether they follow the person with this handle, by themselves or through others. */
export function leadsTo(person: Person, handle: string | undefined, people: readonly Person[]): boolean {
  let { following } = person
  for (let steps = 0; steps <= people.length && following !== undefined; steps += 1) {
    if (following === handle) return true
    following = people.find(({ key }) => key === following)?.following
  }
  return false
}

/** The letter that a name begins with; of two, also that of its last word. */
export function initialsOf(name: string, count: 1 | 2): string {
  const all = name.split(/[\s._-]+/).filter((word) => word !== '')
  return [all[0] ?? '', Math.min(all.length, count) > 1 ? (all.at(-1) ?? '') : '']
    .map((word) => LETTERS.segment(word).containing(0)?.segment ?? '')
    .join('')
    .toUpperCase()
}

const LETTERS = new Intl.Segmenter('en')

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
