import { shownText } from '@patchbay/viewer'

/** Text of others in one line: what is left can neither begin a new paragraph nor hide. */
export function plain(text: string, most = 200): string {
  return cut(shownText(text) ?? '', most).text
}

/** A title that pages can show, in the characters that the contract allows; `undefined` when nothing is left. */
export function titleOf(text: string | undefined): string | undefined {
  const shown = plain(text ?? '')
    .replace(/^\p{M}+/u, '')
    .trim()
  return shown === '' ? undefined : shown
}

/** The beginning of a text that is too long, without half a character at its end. */
export function cut(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false }
  return { text: text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''), isCut: true }
}
