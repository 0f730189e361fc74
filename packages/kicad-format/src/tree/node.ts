/** A word or a string, as the file spells it, quotes included. */
export interface Atom {
  readonly kind: 'atom'
  readonly text: string
}

/** What stands between a pair of parentheses. Never changed: an edit makes another one that shares what it did not touch. */
export interface List {
  readonly kind: 'list'
  /** The word that it begins with, such as `wire`; empty if it begins with something else. */
  readonly head: string
  readonly children: readonly Node[]
  /** White space and comments around the children: one more than there are children. */
  readonly gaps: readonly string[]
  /** KiCad has written it without its first parenthesis. Lists around it that an edit makes write the parenthesis. */
  readonly isUnopened: boolean
}

export type Node = Atom | List

/** A file. Most have one root; design rules have several. */
export interface Document {
  readonly roots: readonly List[]
  /** What stands around the roots, a byte order mark included. */
  readonly gaps: readonly string[]
  /** Where content begins that belongs to no root. KiCad does not read it, and drops it when it saves; here it is kept. */
  readonly rest?: { readonly line: number; readonly column: number }
}

export function isList(node: Node | undefined, head?: string): node is List {
  return node?.kind === 'list' && (head === undefined || node.head === head)
}

export function createAtom(text: string): Atom {
  return { kind: 'atom', text }
}

/** Without `gaps`, one blank between the children. */
export function createList(children: readonly Node[], gaps?: readonly string[]): List {
  const [first] = children
  const head = first?.kind === 'atom' && !first.text.startsWith('"') ? first.text : ''
  const isUnopened = false
  return {
    kind: 'list',
    head,
    children: opened(children),
    gaps: gaps ?? flatGaps(children.length),
    isUnopened,
  }
}

/** Beside something else than before, a list without its parenthesis might not be read as one. */
function opened(children: readonly Node[]): readonly Node[] {
  const isOpen = (child: Node) => child.kind === 'atom' || !child.isUnopened
  if (children.every(isOpen)) return children
  return children.map((child) =>
    child.kind === 'list' && child.isUnopened ? createList(child.children, child.gaps) : child,
  )
}

function flatGaps(count: number): string[] {
  return Array.from({ length: count + 1 }, (_, at) => (at === 0 || at === count ? '' : ' '))
}
