import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { nameOfWords, wordsOf } from './slug.ts'

/** A line as it was read, with heights in pixels. */
export interface ReadLine {
  /** Where it begins, from 0 at the top to 1 at the bottom. */
  readonly top: number
  readonly words: readonly ReadWord[]
}

interface ReadWord {
  readonly text: string
  readonly confidence: number
  readonly height: number
  /** It reaches the edge of what was read: there may be more of it outside. */
  readonly isAtEdge?: boolean
}

const SURE = 70
/** Of text in a screenshot more than half is read surely, of noise about a hundredth. */
const LEAST_SURE_SHARE = 1 / 20
const MOST_WORDS = 6
const ENOUGH_WORDS = 2

const STOP_WORDS = new Set(
  'a an and are as at be by for from has have in is it its of on or that the this to was were will with you your'.split(
    ' ',
  ),
)
/** What stands in nearly every window and says nothing of this one. */
const MENU_WORDS = new Set(
  'file edit view help window tools home back forward close cancel ok apply save open insert format search menu yes no'.split(
    ' ',
  ),
)

interface Candidate {
  /** Each whole, as it was written: `peak-to-peak` is one. */
  readonly words: readonly string[]
  readonly score: number
}

/** A name of what looks most like a heading: large, surely read, of several words, near the top. */
export function nameOfLines(lines: readonly ReadLine[]): string | undefined {
  if (isNoise(lines.flatMap(({ words }) => words))) return undefined
  const [best, ...others] = lines.flatMap(candidateOf).toSorted((one, other) => other.score - one.score)
  if (best === undefined) return undefined
  const more = others.find(({ words }) => words.some((word) => !best.words.includes(word)))
  const words = best.words.length >= ENOUGH_WORDS ? best.words : [...best.words, ...(more?.words ?? [])]
  return nameOfWords(fitting([...new Set(words)]).flatMap((word) => word.split('-')))
}

/** So many that a name has room for all of the last one. */
function fitting(words: readonly string[]): string[] {
  const few = words.slice(0, MOST_WORDS)
  const lengths = few.map((_, index) => few.slice(0, index + 1).join('-').length)
  return few.filter((_, index) => (lengths[index] ?? 0) <= PASTE_LIMITS.nameLength || index === 0)
}

function isNoise(read: readonly ReadWord[]): boolean {
  return lengthOf(read.filter(isSure)) < lengthOf(read) * LEAST_SURE_SHARE
}

function lengthOf(words: readonly ReadWord[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0)
}

function isSure({ text, confidence }: ReadWord): boolean {
  return confidence >= SURE && /[a-z]{2}|\d/i.test(text)
}

/** Letters and digits, joined by what joins words. Anything else within is a letter that was not read. */
const WHOLE = /^[\p{L}\p{N}]+(?:[-_/.:@&+'’]+[\p{L}\p{N}]+)*$/u
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const FRACTION = /\d[.,]\d/

/** The words of a line that were read surely and whole. Half of one, or a number without its unit, would mislead. */
function wholeWordsOf(line: readonly ReadWord[]): string[] {
  const isWhole = (word: ReadWord | undefined): word is ReadWord =>
    word !== undefined &&
    word.isAtEdge !== true &&
    isSure(word) &&
    WHOLE.test(word.text.replaceAll(OUTER_SIGNS, '')) &&
    !FRACTION.test(word.text)
  return line.filter(isWhole).flatMap((word) => {
    const place = line.indexOf(word)
    const next = line[place + 1]
    const isNumber = !/\p{L}/u.test(word.text)
    if (isNumber && !(isWhole(line[place - 1]) && (next === undefined || isWhole(next)))) return []
    const text = wordsOf(word.text).join('-')
    return text === '' || STOP_WORDS.has(text) ? [] : [text]
  })
}

function candidateOf({ top, words: read }: ReadLine): Candidate[] {
  const sure = read.filter(isSure)
  const words = wholeWordsOf(read)
  // In noise the engine is sure of a digit here and there.
  if (words.every((word) => word.length < 2)) return []
  // The one in the middle: a border that was taken for a part of a word makes that one far too high.
  const height = sure.map((word) => word.height).toSorted((a, b) => a - b)[Math.floor(sure.length / 2)] ?? 0
  return [{ words, score: height * placeOf(top) * substanceOf(words, sure) }]
}

/** The title of a window is small, and above everything else. */
function placeOf(top: number): number {
  if (top < 0.06) return 1.35
  return top < 0.35 ? 1.15 : 1
}

function substanceOf(words: readonly string[], read: readonly { readonly text: string }[]): number {
  if (read.some(({ text }) => text.includes('://'))) return 0.3
  if (!words.some((word) => /[a-z]{3}/.test(word))) return 0.3
  if (words.every((word) => MENU_WORDS.has(word))) return 0.3
  if (words.length === 1) return 0.6
  // Prose, not a heading.
  return words.length > 10 ? 0.7 : 1
}
