import { KicadSyntaxError, placeIn, type SyntaxFault } from '../fault.ts'
import { KICAD_LIMITS, type ReadLimits } from '../limits.ts'
import { createAtom, type Document, type List, type Node } from './node.ts'
import { CLOSE, endOfAtom, endOfGap, isUnopened, OPEN } from './scan.ts'

export interface ParseOptions {
  /** A file has one root. `many` is for design rules (`.kicad_dru`). */
  readonly roots?: 'one' | 'many'
  /** Lower than `KICAD_LIMITS`, where less is expected. */
  readonly limits?: Partial<ReadLimits>
}

/** A text, and where its lists are: three numbers for each, in the order in which they open. */
interface Source {
  readonly text: string
  /** Where it opens, where it ends, and the number of the first list behind it that is not in it. */
  readonly lists: Int32Array
}
const STRIDE = 3
const FIRST_ROOM = 1_024

/**
 * Reads a file without losing anything of it: `write(parse(text))` is `text`. One pass finds where the lists are; nodes
 * are made when somebody looks at them, so that a file costs about its own length until then.
 */
export function parse(input: string | Uint8Array, options: ParseOptions = {}): Document {
  const limits = { ...KICAD_LIMITS, ...options.limits }
  if (input.length > limits.length)
    throw new KicadSyntaxError('too_long', `The file is longer than ${limits.length} characters.`, {
      line: 1,
      column: 1,
    })
  const text = typeof input === 'string' ? input : decode(input)
  const refuse = (code: SyntaxFault, at: number, words: string) =>
    new KicadSyntaxError(code, words, placeIn(text, at))
  let lists = new Int32Array(FIRST_ROOM * STRIDE)
  const open = new Int32Array(limits.depth)
  let depth = 0
  let count = 0
  let nodes = 0
  let roots = 0
  let end = text.length
  for (let at = endOfGap(text, 0); at < text.length; at = endOfGap(text, at)) {
    const code = text.charCodeAt(at)
    if (depth === 0 && roots > 0 && options.roots !== 'many') {
      end = at
      break
    }
    if (code === CLOSE) {
      if (depth === 0) throw refuse('unexpected_close', at, 'This parenthesis closes nothing.')
      depth -= 1
      at += 1
      const list = (open[depth] ?? 0) * STRIDE
      lists[list + 1] = at
      lists[list + 2] = count
      continue
    }
    nodes += 1
    if (nodes > limits.nodes)
      throw refuse('too_many_nodes', at, `The file has more than ${limits.nodes} lists, words and strings.`)
    if (depth === 0) {
      if (code !== OPEN) throw refuse('content_outside', at, 'A file begins with a parenthesis.')
      roots += 1
    }
    if (code === OPEN || isUnopened(text, at)) {
      if (depth === limits.depth)
        throw refuse('too_deep', at, `Parentheses are nested more than ${limits.depth} levels deep.`)
      open[depth] = count
      depth += 1
      if ((count + 1) * STRIDE > lists.length) lists = withRoom(lists)
      lists[count * STRIDE] = at
      count += 1
      // The word that stands in the place of a parenthesis is passed, or it would open another list.
      at = code === OPEN ? at + 1 : endOfAtom(text, at)
    } else {
      const after = endOfAtom(text, at)
      if (after === -1)
        throw refuse('unterminated_string', at, 'This string has no closing quote on its line.')
      at = after
    }
  }
  if (depth > 0) {
    const from = lists[(open[depth - 1] ?? 0) * STRIDE] ?? 0
    throw refuse('unclosed_list', from, `This parenthesis is never closed, nor are ${depth - 1} around it.`)
  }
  if (roots === 0 && options.roots !== 'many') throw refuse('empty', text.length, 'The file is empty.')
  const nul = text.slice(0, end).indexOf('\0')
  if (nul !== -1) throw refuse('not_text', nul, 'This is no text: it has a NUL character.')
  const { children, gaps } = readChildren(
    { text, lists: lists.slice(0, count * STRIDE) },
    { from: 0, to: end, list: 0 },
  )
  return {
    roots: children.filter((child) => child.kind === 'list'),
    gaps: end === text.length ? gaps : [...gaps.slice(0, -1), `${gaps.at(-1) ?? ''}${text.slice(end)}`],
    ...(end < text.length && { rest: placeIn(text, end) }),
  }
}

function withRoom(lists: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(lists.length * 2)
  larger.set(lists)
  return larger
}

/** A byte order mark is kept. Bytes that are no UTF-8 could not be written back. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new KicadSyntaxError('not_utf8', 'The file is not in UTF-8.', { line: 1, column: 1 })
  }
}

interface Content {
  readonly children: readonly Node[]
  readonly gaps: readonly string[]
}

/** What stands between two places. `list` is the number of the first list there. Other lists' content is passed over. */
function readChildren(
  source: Source,
  { from, to, list }: { from: number; to: number; list: number },
): Content {
  const { text, lists } = source
  const children: Node[] = []
  const gaps: string[] = []
  let next = list
  let after = from
  for (let at = endOfGap(text, from); at < to; at = endOfGap(text, after)) {
    gaps.push(gapBetween(text, after, at))
    if (at === lists[next * STRIDE]) {
      children.push(new ParsedList(source, next))
      after = lists[next * STRIDE + 1] ?? to
      next = lists[next * STRIDE + 2] ?? 0
    } else {
      after = endOfAtom(text, at)
      children.push(createAtom(text.slice(at, after)))
    }
  }
  gaps.push(text.slice(after, to))
  return { children, gaps }
}

/** Behind the parenthesis of a list, if it has one. */
function contentOf(text: string, from: number): number {
  return text.charCodeAt(from) === OPEN ? from + 1 : from
}

const NEXT = ' '

/** Nearly every gap is one blank: a file has millions. */
function gapBetween(text: string, from: number, to: number): string {
  return to - from === 1 && text.charCodeAt(from) === NEXT.charCodeAt(0) ? NEXT : text.slice(from, to)
}

const kind = 'list'

/** A list of a file that was read. Its children are made when they are asked for. */
class ParsedList implements List {
  // Where thousands of lists are looked at, each field counts.
  readonly source: Source
  readonly number: number
  content: Content | undefined

  constructor(source: Source, number: number) {
    this.source = source
    this.number = number
    this.content = undefined
  }

  get kind(): 'list' {
    return kind
  }

  get isUnopened(): boolean {
    const { text, lists } = this.source
    return text.charCodeAt(lists[this.number * STRIDE] ?? 0) !== OPEN
  }

  get head(): string {
    const { text, lists } = this.source
    const from = endOfGap(text, contentOf(text, lists[this.number * STRIDE] ?? 0))
    const code = text.charCodeAt(from)
    return code === OPEN || code === CLOSE || text[from] === '"'
      ? ''
      : text.slice(from, endOfAtom(text, from))
  }

  get children(): readonly Node[] {
    return (this.content ??= this.read()).children
  }

  get gaps(): readonly string[] {
    return (this.content ??= this.read()).gaps
  }

  private read(): Content {
    const { text, lists } = this.source
    const [from, to] = [lists[this.number * STRIDE] ?? 0, lists[this.number * STRIDE + 1] ?? 0]
    return readChildren(this.source, { from: contentOf(text, from), to: to - 1, list: this.number + 1 })
  }
}

/** The text of a list that came from a file; `undefined` for one that an edit has made. */
export function parsedText(list: List): string | undefined {
  if (!(list instanceof ParsedList)) return undefined
  const { text, lists } = list.source
  return text.slice(lists[list.number * STRIDE], lists[list.number * STRIDE + 1])
}
