import type { Present } from './member-info.ts'

/** Each browser once, and the one that acts first, if it may act. */
export function inOrder(present: readonly Present[]): Present[] {
  return newestOfEach(present).toSorted(compare)
}

/** The one that carries out commands. */
export function actingOf(inTheirOrder: readonly Present[]): Present | undefined {
  const [first] = inTheirOrder
  return first?.mayAct === true ? first : undefined
}

/** Of two connections of one browser, the one that was there later: the other is an echo that nobody reads. */
export function isNewer(one: Connected, other: Connected): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt
  if (one.node !== other.node) return one.node > other.node
  return one.connection > other.connection
}

type Connected = Pick<Present, 'openedAt' | 'node' | 'connection'>

function newestOfEach(present: readonly Present[]): Present[] {
  const newest = new Map<string, Present>()
  for (const one of present) {
    const known = newest.get(one.browserId)
    if (known === undefined || isNewer(one, known)) newest.set(one.browserId, one)
  }
  return [...newest.values()]
}

function compare(one: Present, other: Present): number {
  if (one.mayAct !== other.mayAct) return one.mayAct ? -1 : 1
  if (one.isVisible !== other.isVisible) return one.isVisible ? -1 : 1
  if (one.focusedAt !== other.focusedAt) return other.focusedAt - one.focusedAt
  return one.browserId < other.browserId ? -1 : 1
}
