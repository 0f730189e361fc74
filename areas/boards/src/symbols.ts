import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { distance } from 'fastest-levenshtein'

/** A symbol that a change adds, and that its file has no definition of. */
export interface WantedSymbol {
  readonly libId: string
  /** The index of the change. */
  readonly change: number
}

/** `Device:R`: the nickname of a library, and a name in it. */
export function partsOfLibId(libId: string): { readonly nickname: string; readonly name: string } {
  const colon = libId.indexOf(':')
  return { nickname: libId.slice(0, Math.max(0, colon)), name: libId.slice(colon + 1) }
}

/** Beyond this it is another word, not a slip. */
const MOST_SLIPS = 3

/** The words that somebody probably meant, nearest first. Case counts for nothing. */
export function nearestNames(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  const most = Math.min(MOST_SLIPS, Math.ceil(word.length / 3))
  return [...known]
    .map((name) => ({ name, slips: distance(wanted, name.toLowerCase()) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((one, other) => one.slips - other.slips || (one.name < other.name ? -1 : 1))
    .slice(0, BOARD_LIMITS.suggestions)
    .map(({ name }) => name)
}
