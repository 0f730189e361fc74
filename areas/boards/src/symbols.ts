import { BOARD_LIMITS } from '@patchbay/contracts/limits'

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
    .map((name) => ({ name, slips: slipsBetween(wanted, name.toLowerCase(), most) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((one, other) => one.slips - other.slips || (one.name < other.name ? -1 : 1))
    .slice(0, BOARD_LIMITS.suggestions)
    .map(({ name }) => name)
}

/** How many signs have to be put in, taken out or exchanged; more than `most` when it is more than that. */
function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let down = 0; down < one.length; down += 1) {
    const sign = one[down]
    const above = row
    row = [down + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const exchanged = (above[at - 1] ?? 0) + (sign === other[at - 1] ? 0 : 1)
      row.push(Math.min((above[at] ?? 0) + 1, (row[at - 1] ?? 0) + 1, exchanged))
    }
  }
  return row.at(-1) ?? most + 1
}
