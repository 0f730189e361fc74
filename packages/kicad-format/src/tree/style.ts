import type { Document, List, Node } from './node.ts'
import { parse } from './parse.ts'
import { childOf, numberOf, valuesOf } from './value.ts'
import { writeNode } from './write.ts'

/** How a file is laid out, and spells what KiCad's versions spell in different ways. */
export interface Style {
  /** Tabs since KiCad 8; two spaces and several lists in a line before; `flat`: all in one line. */
  readonly layout: 'tabs' | 'spaces' | 'flat'
  readonly newline: '\n' | '\r\n'
  /** The date of the format, such as 20250114. */
  readonly version: number
}

/** The first ones of KiCad 7 and 8. */
export const VERSION_7 = 20230121
export const VERSION_8 = 20231120

export function styleOf({ roots }: Document): Style {
  const root = roots[0]
  const version = numberOf(valuesOf(childOf(root, 'version'))[0]) ?? VERSION_8
  const gap = root?.gaps.find((one) => one.includes('\n'))
  const newline = gap?.includes('\r\n') === true ? '\r\n' : '\n'
  if (gap === undefined) return { layout: 'flat', newline, version }
  return { layout: gap.includes('\t') ? 'tabs' : 'spaces', newline, version }
}

/** White space in front of a list that begins a line, at a depth. */
export function lineStart({ layout, newline }: Style, depth: number): string {
  return layout === 'flat' ? ' ' : `${newline}${(layout === 'tabs' ? '\t' : '  ').repeat(depth)}`
}

/** A list that an edit has made, as KiCad would lay it out at this depth of the file. */
export function formatList(list: List, style: Style, depth: number): List {
  const flat = writeNode(list)
  const text =
    style.layout === 'tabs'
      ? withTabs(flat, depth, style.newline)
      : style.layout === 'spaces'
        ? withSpaces(list, depth, style.newline)
        : flat
  return parse(text).roots[0] ?? list
}

/** Points stand in one line up to here. */
const LAST_COLUMN_OF_POINTS = 99
/** Words beyond here go on in the next line. */
const LAST_COLUMN_OF_WORDS = 72

/** The rules of KiCad's own formatter since version 8: each list in a line of its own, but for points. */
function withTabs(flat: string, depth: number, newline: string): string {
  const out: string[] = []
  let level = depth
  let column = depth
  let isInPoint = false
  let isLong = false
  let last = '('
  for (const token of tokensOf(flat)) {
    const indent = `${newline}${'\t'.repeat(level)}`
    if (token.startsWith('(')) {
      const isPoint = token === '(xy'
      if (out.length === 0) out.push(token)
      else if (isInPoint && isPoint && column < LAST_COLUMN_OF_POINTS) {
        out.push(' ', token)
        column += token.length + 1
      } else {
        out.push(indent, token)
        column = level + token.length
      }
      isInPoint = isPoint
      level += 1
    } else if (token === ')') {
      level -= 1
      if (last === ')' || isLong) {
        out.push(`${newline}${'\t'.repeat(level)})`)
        column = level + 1
        isLong = false
      } else {
        out.push(')')
        column += 1
      }
    } else if (isInPoint || column < LAST_COLUMN_OF_WORDS) {
      out.push(' ', token)
      column += token.length + 1
    } else {
      out.push(indent, token)
      column = level + token.length
      isLong = true
    }
    last = token
  }
  return out.join('')
}

/** `(head`, `)`, and the words and strings between them. */
function* tokensOf(flat: string): Generator<string> {
  for (const [token] of flat.matchAll(/\((?:[^\s()"]*)|\)|"(?:[^"\\]|\\.)*"|[^\s()"][^\s()]*/g)) yield token
}

/** What begins a line in files of KiCad 6 and 7, by what it stands in. */
const ALWAYS = ['effects', 'fill', 'instances', 'property', 'stroke', 'uuid']
const SHAPES = ['arc', 'bezier', 'circle', 'pin', 'polyline', 'rectangle', 'symbol', 'text']
const LINES_OF: Readonly<Record<string, readonly string[]>> = {
  font: [],
  instances: ['project'],
  name: [],
  no_connect: [],
  number: [],
  path: ['reference'],
  pin: ['effects', 'name', 'number', 'alternate', 'uuid'],
  project: ['path'],
  sheet_instances: ['path'],
  symbol: [...ALWAYS, ...SHAPES, 'in_bom'],
  symbol_instances: ['path'],
  text_box: [...ALWAYS, 'at'],
  title_block: ['title', 'date', 'rev', 'company', 'comment'],
}

function startsLine(parent: List, child: Node, isInLibrary: boolean): boolean {
  if (child.kind === 'atom') return false
  if (parent.head === 'pts') return isInLibrary
  // The pin of a symbol that was placed is its number and id.
  if (parent.head === 'pin' && parent.children.length === 3) return false
  if (isInLibrary && (parent.head === 'polyline' || parent.head === 'bezier') && child.head === 'pts')
    return true
  // `(in_bom yes)` stands in the first line of a library's symbol.
  if (isInLibrary && child.head === 'in_bom') return false
  return (LINES_OF[parent.head] ?? [...ALWAYS, 'pin']).includes(child.head)
}

function withSpaces(list: List, depth: number, newline: string): string {
  const isInLibrary = list.head === 'symbol' && childOf(list, 'lib_id') === undefined
  // As deep as `parse` lets a list be, or as a change makes one.
  const lay = (one: List, level: number): string => {
    let text = '('
    let hasLines = false
    for (const [at, child] of one.children.entries()) {
      const isLine = startsLine(one, child, isInLibrary)
      hasLines ||= isLine
      if (at > 0) text += isLine ? `${newline}${'  '.repeat(level + 1)}` : ' '
      text += child.kind === 'atom' ? child.text : lay(child, level + 1)
    }
    return hasLines ? `${text}${newline}${'  '.repeat(level)})` : `${text})`
  }
  return lay(list, depth)
}
