import type { Document, List, Node } from './node.ts'
import { parsedText } from './parse.ts'

/** The file. What no edit has touched comes out of the text that was read, in one piece. */
export function write({ roots, gaps }: Document): string {
  const parts: string[] = []
  for (const [at, root] of roots.entries()) {
    parts.push(gaps[at] ?? '')
    writeInto(parts, root)
  }
  parts.push(gaps[roots.length] ?? '')
  return parts.join('')
}

export function writeNode(node: Node): string {
  const parts: string[] = []
  writeInto(parts, node)
  return parts.join('')
}

/** With a stack of its own: a tree that a program has built may be deeper than one that is read. */
function writeInto(parts: string[], node: Node): void {
  const open: { readonly list: List; next: number }[] = []
  const begin = (one: Node) => {
    const text = one.kind === 'atom' ? one.text : parsedText(one)
    if (text !== undefined) parts.push(text)
    else if (one.kind === 'list') {
      parts.push('(')
      open.push({ list: one, next: 0 })
    }
  }
  begin(node)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { list, next } = top
    parts.push(list.gaps[next] ?? '')
    const child = list.children[next]
    if (child === undefined) {
      parts.push(')')
      open.pop()
    } else {
      top.next += 1
      begin(child)
    }
  }
}
