import { yieldToEventLoop } from '@patchbay/primitives/async'
import { RewritingStream } from 'parse5-html-rewriting-stream'
import { type Place, pageHead } from './page-head.ts'
import { baseOf, orderOf, rewriteTag, type Tag } from './rewrite-tag.ts'

/** Between two of these, others have their turn. */
const PIECE_LENGTH = 65_536
/** The parser reads a token again with each piece that adds to it. */
const LONGEST_TOKEN = 524_288
/** With each that is open, the parser takes longer for the next; what looks closed may be open to it. */
const MOST_DRAWINGS = 20_000
const DRAWINGS = new Set(['svg', 'math'])
const NOT_BLANK = /[^\t\n\f\r ]/

/**
 * The document with our script in front. What the parser makes of broken markup does not matter, because the source is
 * copied; and where a document is made to keep it busy, the rest is copied unread.
 */
export async function rewritePage(document: string, place: Place): Promise<string> {
  const rewriting = new PageRewriting(document, place)
  const parser = createParser(rewriting)
  for (let at = 0; at < document.length && rewriting.isWorthIt(at); at += PIECE_LENGTH) {
    await new Promise<void>((resolve, reject) => {
      parser.write(document.slice(at, at + PIECE_LENGTH), (error) =>
        error == null ? resolve() : reject(error),
      )
    })
    await yieldToEventLoop()
  }
  if (rewriting.isWorthIt(document.length))
    await new Promise<void>((resolve, reject) => {
      parser.once('error', reject).end(() => resolve())
    })
  parser.destroy()
  return rewriting.finish()
}

interface Token {
  readonly sourceCodeLocation?: { readonly startOffset: number; readonly endOffset: number } | null
}

class PageRewriting {
  readonly #document: string
  readonly #place: Place
  readonly #written: string[] = []
  #readTo = 0
  #drawings = 0
  #headAt: number | undefined
  #base: string | undefined
  #movesOn = false

  constructor(document: string, place: Place) {
    this.#document = document
    this.#place = place
  }

  isWorthIt(given: number): boolean {
    return this.#drawings <= MOST_DRAWINGS && given - this.#readTo <= LONGEST_TOKEN
  }

  copy({ sourceCodeLocation }: Token, written: string): void {
    if (this.#drawings > MOST_DRAWINGS) return
    const { startOffset = this.#readTo, endOffset = this.#readTo } = sourceCodeLocation ?? {}
    // The parser keeps quiet about what means nothing, such as an end tag without a name.
    if (startOffset > this.#readTo) this.#written.push(this.#document.slice(this.#readTo, startOffset))
    this.#written.push(written)
    this.#readTo = endOffset
  }

  /** A doctype may stand before the head; anything later than it would come after something that runs. */
  beginHead(): void {
    if (this.#headAt !== undefined) return
    this.#headAt = this.#written.length
    this.#written.push('')
  }

  copyTag(tag: Tag & Token, source: string): void {
    this.beginHead()
    this.#base ??= baseOf(tag, this.#place.url)
    this.copy(tag, this.#rewrite(tag) ?? source)
    if (DRAWINGS.has(tag.tagName)) this.#drawings += 1
  }

  /** Browsers follow the first refresh alone; each further one would become a whole address, however short it is. */
  #rewrite(tag: Tag): string | undefined {
    const isRefresh = orderOf(tag) === 'refresh'
    if (isRefresh && this.#movesOn) return ''
    const written = rewriteTag(tag, this.#base ?? this.#place.url, this.#place.address)
    this.#movesOn ||= isRefresh && written !== ''
    return written
  }

  finish(): string {
    this.beginHead()
    this.#written[this.#headAt ?? 0] = pageHead(this.#place, this.#base ?? this.#place.url)
    return this.#written.join('') + this.#document.slice(this.#readTo)
  }
}

function createParser(rewriting: PageRewriting): RewritingStream {
  const parser = new RewritingStream()
  return parser
    .on('comment', (comment: Token, source: string) => rewriting.copy(comment, source))
    .on('doctype', (doctype: Token, source: string) => {
      rewriting.copy(doctype, source)
      rewriting.beginHead()
    })
    .on('text', (text: Token, source: string) => {
      if (NOT_BLANK.test(source)) rewriting.beginHead()
      rewriting.copy(text, source)
    })
    .on('startTag', (tag: Tag & Token, source: string) => {
      rewriting.copyTag(tag, source)
      if (!rewriting.isWorthIt(0)) parser.stop()
    })
    .on('endTag', (tag: Token, source: string) => {
      rewriting.beginHead()
      rewriting.copy(tag, source)
    })
}
