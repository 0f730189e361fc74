import type { Package } from './package.ts'

export type Searchable = Pick<Package, 'name' | 'identifier' | 'description'> &
  Partial<Pick<Package, 'description_full' | 'tags' | 'author'>>

/** Fields from the least telling to the most: a match further down always counts more. */
const FIELDS: readonly ((each: Searchable) => readonly string[])[] = [
  ({ description_full }) => (description_full === undefined ? [] : [description_full]),
  ({ author }) => (author === undefined ? [] : [author.name]),
  ({ description }) => [description],
  ({ tags = [] }) => tags,
  ({ identifier }) => [identifier],
  ({ name }) => [name],
]

/** How a word sits in a text: inside a word, at the beginning of one, or being all of it. */
const INSIDE = 1
const WORD_START = 2
const WHOLE = 3
const KINDS = WHOLE + 1

/** The packages in which every word of the query occurs, best first. Case does not matter; no words: all. */
export function rankPackages<T extends Searchable>(packages: readonly T[], query: string): T[] {
  const words = fold(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
  if (words.length === 0) return [...packages]
  return packages
    .map((item) => ({ item, score: scoreOf(item, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || byName(a.item, b.item))
    .map(({ item }) => item)
}

/** 0 unless every word occurs. */
function scoreOf(item: Searchable, words: readonly string[]): number {
  const fields = FIELDS.map((read) => read(item).map(fold))
  const scores = words.map((word) => scoreOfWord(fields, word))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function scoreOfWord(fields: readonly (readonly string[])[], word: string): number {
  return fields.reduce((best, texts, index) => {
    const kind = Math.max(0, ...texts.map((text) => kindOfMatch(text, word)))
    return kind === 0 ? best : index * KINDS + kind
  }, 0)
}

function kindOfMatch(text: string, word: string): number {
  if (text === word) return WHOLE
  let found = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return WORD_START
    found = INSIDE
  }
  return found
}

function byName(a: Searchable, b: Searchable): number {
  return fold(a.name).localeCompare(fold(b.name), 'en') || (a.identifier < b.identifier ? -1 : 1)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
