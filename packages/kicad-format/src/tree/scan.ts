export const OPEN = 40
export const CLOSE = 41
const QUOTE = 34
const BACKSLASH = 92
const HASH = 35
const LINE_FEED = 10
const RETURN = 13
const BLANK = 32
const TAB = 9
const BYTE_ORDER_MARK = 0xfeff

/** Exactly what KiCad takes for white space, but for NUL, which no text has. */
function isBlank(code: number): boolean {
  return code === BLANK || code === LINE_FEED || code === TAB || code === RETURN
}

/** Where the white space and comments at `from` end. */
export function endOfGap(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    if (code === HASH && isComment(text, at)) at = endOfComment(text, at) - 1
    else if (code !== BYTE_ORDER_MARK || at > 0) return at
  }
  return text.length
}

/** A line whose first character is `#` is a comment, as in KiCad. */
function isComment(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const code = text.charCodeAt(before)
    if (code === LINE_FEED) return true
    if (!isBlank(code)) return code === BYTE_ORDER_MARK && before === 0
  }
  return true
}

function endOfComment(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/**
 * Where the word or string at `from` ends; -1 for a string without an end. A string ends on its line: KiCad writes `\n`
 * for a line feed, and so a missing quote is found where it is missing.
 */
export function endOfAtom(text: string, from: number): number {
  return text.charCodeAt(from) === QUOTE ? endOfString(text, from) : endOfWord(text, from)
}

function endOfWord(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN || code === CLOSE || isBlank(code)) break
  }
  return at
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === LINE_FEED || code === RETURN) return -1
    if (code === BACKSLASH) {
      const next = text.charCodeAt(at + 1)
      if (next === LINE_FEED || next === RETURN) return -1
      at += 1
    }
  }
  return -1
}

const UNOPENED = 'filter_ratio '

/** KiCad 9 writes `(curved_edges no)filter_ratio 0.9)` in teardrops, and reads it as a list nevertheless. */
export function isUnopened(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === CLOSE && text.startsWith(UNOPENED, at)
}
