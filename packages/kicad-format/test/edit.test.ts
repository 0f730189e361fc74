import { deepTest, depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Document,
  formatList,
  insertChild,
  isList,
  keepChildren,
  type List,
  lineStart,
  parse,
  removeChild,
  replaceChild,
  styleOf,
  withRoot,
  write,
  writeNode,
} from '../src/index.ts'
import { files, mended, stripped } from './arbitraries.ts'
import { hasDemos, listDemos, readText } from './demos.ts'
import { SHEET_6, SHEET_9 } from './samples.ts'

const rootOf = ({ roots }: Document): List => {
  const [root] = roots
  if (root === undefined) throw new Error('no root')
  return root
}
const listOf = (text: string) => rootOf(parse(text))

test('[KF-20] replacing changes its own text and no other', () => {
  const list = listOf('(a  (b 1)\n\n\t"c" )')
  expect(writeNode(replaceChild(list, 1, listOf('(b 2)')))).toBe('(a  (b 2)\n\n\t"c" )')
  const [first = list] = list.children
  expect(replaceChild(list, 0, first)).toBe(list)
})

test('[KF-20] a child that is put in and taken out again leaves no trace', () => {
  fc.assert(
    fc.property(files, fc.nat(), fc.string(), (text, where, word) => {
      const document = parse(text)
      const root = rootOf(document)
      const at = where % (root.children.length + 1)
      const child = { kind: 'atom', text: JSON.stringify(word) } as const
      const more = insertChild(root, at, child, ' \n\t')
      expect(write(withRoot(document, more))).toBe(
        write(document).replace(writeNode(root), () => writeNode(more)),
      )
      expect(more.children.filter((one) => root.children.includes(one))).toEqual([...root.children])
      expect(writeNode(root)).toBe(writeNode(rootOf(parse(text))))
      expect(write(document)).toBe(text)
    }),
    { numRuns: depth({ common: 200, deep: 5_000 }) },
  )
})

test('[KF-20] the document without its old root is the same around it', () => {
  const document = parse('\u{FEFF} (a b)\n)')
  expect(write(withRoot(document, listOf('(c)')))).toBe('\u{FEFF} (c)\n)')
  expect(withRoot(document, rootOf(document))).toBe(document)
})

test('[KF-22] a blank line between two groups stays', () => {
  const list = listOf('(s\n\n  (a 1)\n  (a 2)\n\n  (b 1)\n)')
  const without = (at: number) => writeNode(removeChild(list, at))
  expect(without(1)).toBe('(s\n\n  (a 2)\n\n  (b 1)\n)')
  expect(without(2)).toBe('(s\n\n  (a 1)\n\n  (b 1)\n)')
  expect(without(3)).toBe('(s\n\n  (a 1)\n  (a 2)\n)')
})

test('[KF-22] comments stay', () => {
  const list = listOf('(s\n  # first\n  (a 1)\n  (a 2)\n  # last\n  (a 3)\n)')
  expect(writeNode(keepChildren(list, (child) => !isList(child)))).toBe('(s\n  # first\n  \n  # last\n  \n)')
  expect(keepChildren(list, () => true)).toBe(list)
})

const relaid = (text: string) => {
  const document = parse(text)
  return write(withRoot(document, formatList(stripped(rootOf(document)), styleOf(document), 0)))
}

test.each([
  ['KiCad 9', SHEET_9],
  ['KiCad 9 with returns', SHEET_9.replaceAll('\n', '\r\n')],
  ['one line', '(kicad_sch (version 20250114) (wire (pts (xy 0 0) (xy 1 1))))'],
])('[KF-21] a whole file of %s is laid out as it was', (_, text) => {
  expect(relaid(text)).toBe(text)
})

const itemsOf = (root: List) =>
  root.children.flatMap((child) =>
    isList(child, 'lib_symbols')
      ? child.children.map((one) => ({ one, depth: 2 }))
      : [{ one: child, depth: 1 }],
  )

/** Every item of a file that is not laid out as it was. */
const differing = (text: string) => {
  const document = parse(text)
  const style = styleOf(document)
  return itemsOf(rootOf(document)).flatMap(({ one, depth: level }) =>
    one.kind === 'list' && writeNode(formatList(stripped(one), style, level)) !== writeNode(one)
      ? [one.head]
      : [],
  )
}

test('[KF-21] every item of a file of KiCad 6 is laid out as it was', () => {
  expect(differing(SHEET_6)).toEqual([])
  expect(differing(SHEET_6.replaceAll('\n', '\r\n'))).toEqual([])
})

describe.skipIf(!hasDemos)("KiCad's demonstration projects", () => {
  deepTest(
    '[KF-21] every schematic and footprint of KiCad 8 and 9 is laid out as KiCad did',
    () => {
      const texts = listDemos('{sch,sym,mod}')
        .map(readText)
        .filter((text) => text.length < 2_000_000 && mended(text) === text)
        .filter((text) => styleOf(parse(text)).layout === 'tabs')
      const others = texts.filter((text) => relaid(text) !== text)
      expect(others.map((text) => text.slice(0, 100))).toEqual([])
      expect(texts.length).toBeGreaterThan(300)
    },
    300_000,
  )

  test('[KF-21] nearly all items of older ones are, too', () => {
    const texts = listDemos('sch')
      .map(readText)
      .filter((text) => styleOf(parse(text)).layout === 'spaces')
    const heads = texts.flatMap(differing)
    const count = texts.flatMap((text) => itemsOf(rootOf(parse(text)))).length
    expect(heads.length).toBeLessThan(count / 2)
  })
})

test('[KF-21] what begins a line is told for each layout', () => {
  const style = (text: string) => lineStart(styleOf(parse(text)), 2)
  expect([SHEET_9, SHEET_6, '(a b)', '(a\r\n\t(b))'].map(style)).toEqual([
    '\n\t\t',
    '\n    ',
    ' ',
    '\r\n\t\t',
  ])
})
