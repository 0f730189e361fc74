import type { Package } from '@patchbay/package-format'

type Described = Pick<Package, 'name' | 'identifier' | 'description'> &
  Partial<Pick<Package, 'description_full' | 'tags' | 'author'>>

type Weight = 'A' | 'B' | 'C' | 'D'

/** PostgreSQL keeps as many places of a word, and no place beyond this. */
const PLACES_PER_WORD = 255
const LAST_PLACE = 16_383
const LONGEST_WORD = 60
/** More of them would make a query of any size. */
const QUERY_WORDS = 10
/** So that words of two fields are never neighbors. */
const GAP = 50

/**
 * What a package is found by, as the text of a `tsvector`. Words are cut here and not by PostgreSQL: its parser takes
 * `foo/bar` for a file, and what a letter is would depend on the locale of the database.
 */
export function searchVector({
  name,
  identifier,
  tags = [],
  description,
  description_full,
  author,
}: Described): string {
  const places = new Map<string, string[]>()
  let place = 1
  const add = (weight: Weight, texts: readonly string[]) => {
    for (const text of texts) {
      for (const word of wordsOf(text)) {
        const known = places.get(word) ?? []
        if (known.length < PLACES_PER_WORD) known.push(`${Math.min(place, LAST_PLACE)}${weight}`)
        places.set(word, known)
        place += 1
      }
    }
    place += GAP
  }
  add('A', [name, ...splitNames(name)])
  add('B', [identifier, ...tags])
  add('C', [description])
  add('D', [author?.name ?? '', description_full ?? ''])
  return Array.from(places, ([word, where]) => `'${word}':${where.join(',')}`).join(' ')
}

/** What a search asks for, as texts of `tsquery`. */
export interface SearchCondition {
  /** Every word must occur; the last may be unfinished. */
  readonly all: string
  /** One of them must occur. */
  readonly any: string
  /** Each word once, with the fields in which it may stand: the name, that or what weighs less, and so on. */
  readonly words: readonly WordPlaces[]
}

export interface WordPlaces {
  readonly inName: string
  readonly inTags: string
  readonly inDescription: string
}

/** `undefined`: there are no words. */
export function searchCondition(query: string): SearchCondition | undefined {
  const words = wordsOf(query).slice(0, QUERY_WORDS)
  if (words.length === 0) return undefined
  const last = words.length - 1
  const terms = words.map((word, index) => (index === last ? `'${word}':*` : `'${word}'`))
  return { all: terms.join(' & '), any: terms.join(' | '), words: [...new Set(terms)].map(placesOf) }
}

function placesOf(term: string): WordPlaces {
  const within = (weights: string) => `${term}${term.endsWith(':*') ? '' : ':'}${weights}`
  return { inName: within('A'), inTags: within('B'), inDescription: within('C') }
}

/** Letters and digits alone: nothing that would mean something to PostgreSQL is left. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.map((word) => Array.from(word).slice(0, LONGEST_WORD).join(''))
}

/** People look for `bom` and mean `InteractiveHtmlBom`. */
function splitNames(name: string): string[] {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? []
  return parts.length > wordsOf(name).length ? parts : []
}
