import { PRESENCE_LIMITS } from '@patchbay/contracts/limits'
import { type PresentPage, personColor } from '@patchbay/contracts/panels'
import type { Member } from '@patchbay/kernel/bus'
import type { OpenBrowser } from '../control.ts'
import type { Connection } from './room.ts'

/** A browser as its node wrote it down for the others. */
export interface PresentBrowser extends OpenBrowser {
  readonly connection: number
  /** When it opened the workspace, by the clock of its node. */
  readonly openedAt: number
  /** Absent where an older node wrote it. */
  readonly who?: Who
}

/** The person of a page, and what they look at. */
interface Who {
  readonly name: string
  readonly handle: string
  readonly tabId: string | null
  readonly following: string | null
}

type Info = readonly [
  isVisible: 0 | 1,
  isSharing: 0 | 1,
  mayAct: 0 | 1,
  focusedAt: number,
  connection: number,
  openedAt: number,
  /** Older nodes take all of these for tabs, and look for none that is not a text. */
  ...whoAndReadyTabs: (Who | string)[],
]

export function writeInfo(connection: Connection): string {
  const info: Info = [
    connection.isVisible ? 1 : 0,
    connection.isSharing ? 1 : 0,
    connection.mayChange ? 1 : 0,
    connection.focusedAt,
    connection.number,
    connection.openedAt,
    {
      name: connection.caller.displayName ?? connection.caller.handle,
      handle: connection.caller.handle,
      tabId: connection.lookedTab,
      following: connection.following,
    },
    ...connection.readyTabs,
  ]
  return JSON.stringify(info)
}

/** `undefined` for one that a newer node has written in another way: it is not chosen, and nothing breaks. */
export function readMember({ id, node, info }: Member): PresentBrowser | undefined {
  let value: unknown
  try {
    value = JSON.parse(info)
  } catch {
    return undefined
  }
  if (!Array.isArray(value) || value.length < 6) return undefined
  const [isVisible, isSharing, mayAct, focusedAt, connection, openedAt, ...rest] = value as unknown as Info
  if ([focusedAt, connection, openedAt].some((number) => typeof number !== 'number')) return undefined
  const who = rest.find((each) => typeof each === 'object')
  return {
    browserId: id,
    node,
    isVisible: isVisible === 1,
    isSharing: isSharing === 1,
    mayAct: mayAct === 1,
    focusedAt,
    readyTabs: rest.filter((each) => typeof each === 'string'),
    connection,
    openedAt,
    ...(who !== undefined && { who }),
  }
}

/** Each browser once, and the one that acts first, if it may act. */
export function inOrder(present: readonly PresentBrowser[]): PresentBrowser[] {
  return newestOfEach(present).toSorted(compare)
}

/** Who is there, as pages are told: those that can be seen first, and of those the one that was focused last. */
export function pagesOf(present: readonly PresentBrowser[]): PresentPage[] {
  return present
    .toSorted(compareLooks)
    .flatMap(({ browserId, isVisible, openedAt, who }) =>
      who === undefined
        ? []
        : [
            {
              pageId: browserId,
              handle: who.handle,
              name: who.name,
              color: personColor(who.handle),
              tabId: who.tabId,
              following: who.following,
              isVisible,
              since: new Date(openedAt).toISOString(),
            },
          ],
    )
    .slice(0, PRESENCE_LIMITS.pages)
}

/** The one that carries out commands. */
export function actingOf(inTheirOrder: readonly PresentBrowser[]): PresentBrowser | undefined {
  const [first] = inTheirOrder
  return first?.mayAct === true ? first : undefined
}

/** Of two connections of one browser, the one that was there later: the other is an echo that nobody reads. */
export function isNewer(one: Connected, other: Connected): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt
  if (one.node !== other.node) return one.node > other.node
  return one.connection > other.connection
}

type Connected = Pick<PresentBrowser, 'openedAt' | 'node' | 'connection'>

function newestOfEach(present: readonly PresentBrowser[]): PresentBrowser[] {
  const newest = new Map<string, PresentBrowser>()
  for (const one of present) {
    const known = newest.get(one.browserId)
    if (known === undefined || isNewer(one, known)) newest.set(one.browserId, one)
  }
  return [...newest.values()]
}

function compare(one: PresentBrowser, other: PresentBrowser): number {
  if (one.mayAct !== other.mayAct) return one.mayAct ? -1 : 1
  return compareLooks(one, other)
}

function compareLooks(one: PresentBrowser, other: PresentBrowser): number {
  if (one.isVisible !== other.isVisible) return one.isVisible ? -1 : 1
  if (one.focusedAt !== other.focusedAt) return other.focusedAt - one.focusedAt
  return one.browserId < other.browserId ? -1 : 1
}
