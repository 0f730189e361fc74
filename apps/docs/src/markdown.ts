import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
}

/** Each part of a document, parents first. */
export function* partsOf(node: Nodes): Generator<Nodes> {
  yield node
  if ('children' in node) for (const child of node.children) yield* partsOf(child)
}

/** What it says, without its marks. */
export function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : ''
}

export interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Replaces parts of a text, all others keep every character. */
export function replaceParts(text: string, replacements: readonly Replacement[]): string {
  let result = ''
  let end = 0
  for (const { from, to, text: other } of [...replacements].toSorted((a, b) => a.from - b.from)) {
    result += text.slice(end, from) + other
    end = to
  }
  return result + text.slice(end)
}
