import { type Node, parseTree } from 'jsonc-parser'
import type { Finding } from './finding.ts'
import { lazily } from './lazily.ts'
import { pathOf } from './pointer.ts'
import { endOfShallow } from './shallow.ts'
import type { Span } from './source-scan.ts'

export interface Position {
  readonly line: number
  readonly column: number
}

/** Turns offsets of a text into lines and columns, counted from 1. */
export function createLineIndex(text: string): (offset: number) => Position {
  const starts = [0]
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + lineEnd.length)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** The offset in the text of what a finding's pointer names, within the part that a package takes. */
export function createLocator(text: string, { start, end }: Span): (finding: Finding) => number {
  const part = text.slice(start, end)
  // The parser recurses: a part that nests too deeply is only pointed at as a whole.
  const isShallow = lazily(() => endOfShallow(part) === part.length)
  const tree = lazily(() => parseTree(part))
  const fieldsOf = createFieldIndex()
  return ({ pointer, code }) =>
    isShallow() ? start + offsetIn(tree(), pathOf(pointer), code === 'key', fieldsOf) : start
}

type FieldIndex = (node: Node) => ReadonlyMap<string, Node>

/** Looks through an object once, not once per finding. Of a repeated key the last one counts. */
function createFieldIndex(): FieldIndex {
  const known = new Map<Node, ReadonlyMap<string, Node>>()
  return (node) => {
    const fields = known.get(node) ?? new Map(node.children?.map((field) => [keyOf(field), field]))
    known.set(node, fields)
    return fields
  }
}

/** Of what is not there the offset of what should hold it; of a key that of the key. */
function offsetIn(
  root: Node | undefined,
  path: readonly string[],
  isKey: boolean,
  fieldsOf: FieldIndex,
): number {
  let node = root
  for (const [index, part] of path.entries()) {
    const field = node?.type === 'object' ? fieldsOf(node).get(part) : undefined
    if (isKey && index === path.length - 1) return field?.offset ?? node?.offset ?? 0
    const found = node?.type === 'array' ? node.children?.[Number(part)] : field?.children?.[1]
    if (found === undefined) break
    node = found
  }
  return node?.offset ?? 0
}

function keyOf(field: Node): string {
  return String(field.children?.[0]?.value)
}
