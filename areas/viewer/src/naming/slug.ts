import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import slugify from '@sindresorhus/slugify'
import { sensiblePart } from './sensible-part.ts'

/** More than this of a text is not looked at: a name is at its beginning, and time must not depend on strangers. */
const READ_CHARACTERS = 4096

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
const SIZE = /^(\d+)x(\d+)$/

/**
 * A name for files of any text, however hostile: `PASTE_NAME_PATTERN`, at most 60 characters, cut between words. Undefined
 * where nothing remains, as of Chinese characters, emoji or punctuation.
 *
 * Never one that reads as what a paste's own files are called: a size, `-original` at the end, `sp-` and a time at the beginning.
 */
export function slugOf(text: string): string | undefined {
  const start = text.slice(0, READ_CHARACTERS).normalize('NFKC').slice(0, READ_CHARACTERS)
  return nameOfWords(wordsOf(sensiblePart(start)))
}

/** Lower-case words of Latin letters and digits, in their order. */
export function wordsOf(text: string): string[] {
  const plain = text
    // Marks that turn or hide text; joined, because they can stand inside a word.
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Extended_Pictographic}]/gu, ' ')
  return slugify(plain)
    .split('-')
    .filter((word) => word !== '')
}

/** One name of these words, as far as they fit. */
export function nameOfWords(words: readonly string[]): string | undefined {
  const fitting = cutBetweenWords(
    words.map((word) => word.slice(0, PASTE_LIMITS.nameLength)).flatMap(unlikeSize),
  )
  const [first, second] = fitting
  if (first === undefined) return undefined
  const begun = first === 'sp' && second !== undefined && /^\d/.test(second) ? fitting.slice(1) : fitting
  const last = begun.findLastIndex((word) => word !== 'original')
  const name = begun.slice(0, last + 1).join('-')
  if (name === '') return 'original-picture'
  return DEVICE.test(name) ? `${name}-picture` : name
}

function unlikeSize(word: string): string[] {
  const size = SIZE.exec(word)
  return size === null ? [word] : [size[1] ?? '', 'by', size[2] ?? '']
}

function cutBetweenWords(words: readonly string[]): string[] {
  const fitting: string[] = []
  let length = -1
  for (const word of words) {
    length += word.length + 1
    if (length > PASTE_LIMITS.nameLength) break
    fitting.push(word)
  }
  return fitting
}
