export type SyntaxFault =
  | 'too_long'
  | 'too_deep'
  | 'too_many_nodes'
  | 'not_utf8'
  | 'not_text'
  | 'empty'
  | 'unterminated_string'
  | 'unclosed_list'
  | 'unexpected_close'
  | 'content_outside'

/** A file that cannot be read. The message tells a person where to look and why. */
export class KicadSyntaxError extends Error {
  override readonly name = 'KicadSyntaxError'
  readonly code: SyntaxFault
  /** From 1; a column counts characters as editors do. */
  readonly line: number
  readonly column: number

  constructor(code: SyntaxFault, words: string, place: { readonly line: number; readonly column: number }) {
    super(`Line ${place.line}, column ${place.column}: ${words}`)
    this.code = code
    this.line = place.line
    this.column = place.column
  }
}

/** A design that is made so that finding its nets would take minutes. */
export class TangledNetsError extends Error {
  override readonly name = 'TangledNetsError'

  constructor() {
    super('Too many lines, labels or signals of buses are in the same places to find the nets')
  }
}

export function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}
