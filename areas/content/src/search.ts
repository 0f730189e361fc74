import type { FoundLine } from '@patchbay/contracts/content'
import { SEARCH_LIMITS } from '@patchbay/contracts/limits'

export interface SearchWish {
  readonly text: string
  readonly caseSensitive?: boolean | undefined
  readonly wholeWord?: boolean | undefined
  /** A `*` stands for anything within the line. */
  readonly wildcards?: boolean | undefined
}

/** Finds up to `limit` lines of a text. No regular expression: one of a stranger can keep a process busy for hours. */
export type LineFinder = (text: string, limit: number) => FoundLine[]

/** Of one line, where a pattern with several parts began and did not end: each costs a look at the rest of the line. */
const MOST_TRIES = 100

export function lineFinder(wish: SearchWish): LineFinder {
  const { caseSensitive = false, wholeWord = false, wildcards = false } = wish
  const fold = caseSensitive ? (text: string) => text : foldCase
  const parts = (wildcards ? wish.text.split('*') : [wish.text]).filter((part) => part !== '').map(fold)
  // Nothing but stars: every line that holds something.
  if (parts.length === 0) return (text, limit) => linesOf(text, limit)
  const [first = ''] = parts
  return (text, limit) => {
    const folded = fold(text)
    const found: FoundLine[] = []
    let line = 1
    let counted = 0
    let at = folded.indexOf(first)
    while (at !== -1 && found.length < limit) {
      const start = folded.lastIndexOf('\n', at) + 1
      const end = endOfLine(folded, at)
      const ranges = rangesIn(folded.slice(start, end), parts, wholeWord)
      if (ranges.length > 0) {
        line += countLineEnds(text, counted, start)
        counted = start
        found.push({ line, ...shown(text.slice(start, end), ranges) })
      }
      at = folded.indexOf(first, end)
    }
    return found
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

function rangesIn(line: string, parts: readonly string[], wholeWord: boolean): Range[] {
  const ranges: Range[] = []
  const [first = ''] = parts
  let tries = 0
  for (let from = line.indexOf(first); from !== -1; ) {
    const to = endOfMatch(line, from, parts)
    // What is missing after this place is missing after every later one.
    if (to === undefined) break
    const isFound = !wholeWord || (isEdge(line, from) && isEdge(line, to))
    if (isFound) ranges.push({ from, to })
    if (ranges.length === SEARCH_LIMITS.rangesPerLine) break
    if (!isFound && parts.length > 1) {
      tries += 1
      if (tries === MOST_TRIES) break
    }
    from = line.indexOf(first, isFound ? to : from + 1)
  }
  return ranges
}

function endOfMatch(line: string, from: number, parts: readonly string[]): number | undefined {
  let end = from
  for (const part of parts) {
    const at = line.indexOf(part, end)
    if (at === -1) return undefined
    end = at + part.length
  }
  return end
}

const WORD = /[\p{L}\p{M}\p{N}_]/u

/** Whether a word begins or ends here, or none is here at all. */
function isEdge(line: string, at: number): boolean {
  const before = /^[\uDC00-\uDFFF]/.test(line.slice(at - 1, at))
    ? line.slice(at - 2, at)
    : line.slice(at - 1, at)
  const after = String.fromCodePoint(line.codePointAt(at) ?? 0)
  return at === 0 || at === line.length || !(WORD.test(before) && WORD.test(after))
}

/** The same length, so that places in it are places in the text. */
function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (sign) => {
    const small = sign.toLowerCase()
    return small.length === sign.length ? small : sign
  }).join('')
}

function shown(line: string, ranges: readonly Range[]): Omit<FoundLine, 'line'> {
  const most = SEARCH_LIMITS.shownCharacters
  const [first] = ranges
  const isLong = line.length > most && first !== undefined
  // A third of it before the match: people read from there on.
  const column = isLong
    ? wholeSign(line, Math.max(0, Math.min(first.from - most / 3, line.length - most)))
    : 0
  const end = isLong ? wholeSign(line, column + most) : line.length
  const seen = ranges.filter(({ from }) => from < end)
  return {
    text: line.slice(column, end),
    column,
    ranges: seen.map(({ from, to }) => ({ from: from - column, to: Math.min(to, end) - column })),
  }
}

/** Never half of a character that takes two places. */
function wholeSign(line: string, at: number): number {
  return /^[\uDC00-\uDFFF]/.test(line.slice(at, at + 1)) ? at - 1 : at
}

function linesOf(text: string, limit: number): FoundLine[] {
  const found: FoundLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (found.length === limit) break
    if (line !== '') found.push({ line: index + 1, ...shown(line, [{ from: 0, to: line.length }]) })
  }
  return found
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Which paths are meant: a file, a folder with all in it, or a pattern. Upper and lower case are the same. */
export function pathFilter(given: string | undefined): (path: string) => boolean {
  const wanted =
    given
      ?.normalize('NFC')
      .toLowerCase()
      .replaceAll(/^(?:\.?\/)+|\/+$/g, '') ?? ''
  if (wanted === '') return () => true
  if (!/[*?]/.test(wanted)) {
    return (path) => {
      const small = path.toLowerCase()
      return small === wanted || small.startsWith(`${wanted}/`)
    }
  }
  const names = wanted.includes('/') ? wanted.split('/') : ['**', wanted]
  return (path) => {
    // It may name folders as well: then everything in them is meant.
    return matchesFrom([...names, '**'], path.toLowerCase().split('/'), '**', matchesName)
  }
}

const matchesName = (pattern: string, name: string) =>
  matchesFrom(Array.from(pattern), Array.from(name), '*', (sign, other) => sign === '?' || sign === other)

/**
 * Whether items fit a pattern in which `star` stands for any number of them. Goes back to the last star alone, so that its
 * time grows with the product of both lengths and no faster.
 */
function matchesFrom(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  fits: (pattern: string, item: string) => boolean,
): boolean {
  let at = 0
  let next = 0
  let lastStar = -1
  let starTook = 0
  while (next < items.length) {
    const wanted = pattern[at]
    if (wanted === star) {
      lastStar = at
      starTook = next
      at += 1
    } else if (wanted !== undefined && fits(wanted, items[next] ?? '')) {
      at += 1
      next += 1
    } else if (lastStar === -1) return false
    else {
      starTook += 1
      next = starTook
      at = lastStar + 1
    }
  }
  return pattern.slice(at).every((rest) => rest === star)
}
