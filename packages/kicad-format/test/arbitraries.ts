import * as fc from 'fast-check'
import { createList, type List, type Node } from '../src/index.ts'

const word = fc.oneof(
  fc.constantFrom(
    'at',
    'symbol',
    'xy',
    'yes',
    'no',
    'uuid',
    '-1.27',
    '0',
    '1e-05',
    '+.5',
    '007',
    '||',
    "'",
    'a"b',
    'c#1',
    '~',
  ),
  fc.stringMatching(/^[^\s()"#\0\\\u{FEFF}][^\s()\0]{0,12}$/u),
)
const string = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => `"${text.replaceAll(/[\\"]/g, (one) => `\\${one}`).replaceAll(/[\r\n\0]/g, '\\n')}"`)
const atom = fc.oneof(word, string)
const blank = fc.stringMatching(/^[ \t\r\n]{0,4}$/)
const comment = fc.stringMatching(/^[^\r\n\0]{0,20}$/).map((text) => `\n# ${text}\n`)
const gap = fc.oneof({ weight: 8, arbitrary: blank }, { weight: 1, arbitrary: comment })
const space = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[ \t\r\n]{1,4}$/) },
  { weight: 1, arbitrary: comment },
)

/** A random list as text. A blank stands between words, as they would be one otherwise. */
const list: fc.Arbitrary<string> = fc.letrec<{ list: string }>((tie) => ({
  list: fc
    .tuple(
      gap,
      fc.array(fc.tuple(fc.oneof({ depthSize: 'small' }, atom, tie('list')), space), {
        maxLength: 6,
        depthIdentifier: 'list',
      }),
    )
    .map(([first, children]) => `(${first}${children.map(([child, after]) => `${child}${after}`).join('')})`),
})).list

/** A whole file, with what may stand around its root. */
export const files = fc
  .tuple(fc.constantFrom('', '\u{FEFF}', '# comment\n'), blank, list, gap)
  .map((parts) => parts.join(''))

/** The same tree, made of lists that no file has. */
export function rebuilt(node: List): List
export function rebuilt(node: Node): Node
export function rebuilt(node: Node): Node {
  return node.kind === 'atom'
    ? node
    : createList(
        node.children.map((child) => rebuilt(child)),
        node.gaps,
      )
}

/** A tree without any white space of a file. */
export function stripped(node: List): List
export function stripped(node: Node): Node
export function stripped(node: Node): Node {
  return node.kind === 'atom' ? node : createList(node.children.map((child) => stripped(child)))
}

/** As an edit of everything writes it: with the parenthesis that KiCad 9 leaves out. */
export function mended(text: string): string {
  return text.replaceAll(')filter_ratio ', ')(filter_ratio ')
}
