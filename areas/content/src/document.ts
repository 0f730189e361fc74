import { ChangeSet, Text } from '@codemirror/state'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import { diffLines } from 'diff'

export type LineEnd = 'lf' | 'crlf'

export interface DocumentText {
  readonly text: string
  readonly lineEnd: LineEnd
}

/** Comparing two texts that have little in common takes very long; then all between their ends counts as changed. */
const DIFF_MS = 500

/** Editors know one kind of line end. `undefined`: it is no text, or too long to be edited together. */
export function decodeText(bytes: Uint8Array): DocumentText | undefined {
  try {
    const raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const text = raw.replaceAll(/\r\n?/g, '\n')
    if (raw.includes('\0') || text.length > DOCUMENT_LIMITS.characters) return undefined
    const isCrlf = raw.includes('\r\n') && !/[^\r]\n|^\n|\r(?!\n)/.test(raw)
    return { text, lineEnd: isCrlf ? 'crlf' : 'lf' }
  } catch {
    return undefined
  }
}

export function encodeText({ text, lineEnd }: DocumentText): Buffer {
  return Buffer.from(lineEnd === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
}

export function applyChanges(text: string, changes: readonly ChangeSet[]): string {
  if (changes.length === 0) return text
  let lines = Text.of(text.split('\n'))
  for (const each of changes) lines = each.apply(lines)
  return lines.toString()
}

/** Changes from the network, one after the other, the first on a text of this length. Throws 422 `invalid_edits`. */
export function readChanges(given: readonly unknown[], length: number): ChangeSet[] {
  let before = length
  return given.map((json) => {
    const changes = parseChanges(json)
    if (changes === undefined || changes.length !== before)
      throw new Problem('invalid_edits', { detail: 'The edit does not fit the document.' })
    before = changes.newLength
    if (before > DOCUMENT_LIMITS.characters && before > length)
      throw new Problem('limit_reached', {
        detail: `A file that is edited together can have ${DOCUMENT_LIMITS.characters.toLocaleString('en-US')} characters.`,
      })
    return changes
  })
}

/** Stricter than the library: a part that is no whole number would become a document that nobody can read. */
function parseChanges(json: unknown): ChangeSet | undefined {
  if (!Array.isArray(json) || !json.every(isPart)) return undefined
  try {
    return ChangeSet.fromJSON(json)
  } catch {
    return undefined
  }
}

function isPart(part: unknown): boolean {
  if (!Array.isArray(part)) return isLength(part)
  const [removed, ...lines] = part as readonly unknown[]
  return isLength(removed) && lines.every((line) => typeof line === 'string' && isLine(line))
}

const isLength = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= DOCUMENT_LIMITS.characters

/** Half a character could not be written to a file. */
const isLine = (line: string) =>
  line.length <= DOCUMENT_LIMITS.editCharacters && !/[\n\r\0]/.test(line) && line.isWellFormed()

/** What turns one text into another, line by line, so that edits to other lines can be kept. */
export function changesBetween(before: string, after: string): ChangeSet {
  const parts = diffLines(before, after, { timeout: DIFF_MS })
  if (parts === undefined) return ChangeSet.of(middleOf(before, after), before.length)
  const changes: { from: number; to: number; insert: string }[] = []
  let at = 0
  let removed = ''
  let added = ''
  const flush = () => {
    if (removed === '' && added === '') return
    const { from, to, insert } = middleOf(removed, added)
    changes.push({ from: at + from, to: at + to, insert })
    at += removed.length
    removed = ''
    added = ''
  }
  for (const part of parts) {
    if (part.removed) removed += part.value
    else if (part.added) added += part.value
    else {
      flush()
      at += part.value.length
    }
  }
  flush()
  return ChangeSet.of(changes, before.length)
}

/** All between what two texts begin and end with. Never half of a character that takes two places. */
function middleOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  if (isLow(before, start) || isLow(after, start)) start -= 1
  if (isLow(before, before.length - end) || isLow(after, after.length - end)) end -= 1
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

const isLow = (text: string, index: number) => /^[\uDC00-\uDFFF]/.test(text.slice(index, index + 1))

export interface Replacement {
  readonly find: string
  readonly replace: string
}

/** Each on what the one before has left. What is to be replaced must be there once, or nobody knows which is meant. */
export function replaceText(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((now, given, index) => {
    const find = given.find.replaceAll(/\r\n?/g, '\n')
    const replace = given.replace.replaceAll(/\r\n?/g, '\n')
    const at = now.indexOf(find)
    const times = at === -1 ? 0 : now.includes(find, at + 1) ? 2 : 1
    if (times !== 1)
      throw new Problem('text_not_unique', {
        detail:
          times === 0
            ? `The text of edit ${index + 1} is not in the file.`
            : `The text of edit ${index + 1} is in the file more than once. Give more of what is around it.`,
        extensions: { edit: index + 1, found: times },
      })
    return now.slice(0, at) + replace + now.slice(at + find.length)
  }, text)
}
