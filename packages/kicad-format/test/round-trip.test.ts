import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createList, type List, parse, write, writeNode } from '../src/index.ts'
import { files, rebuilt } from './arbitraries.ts'
import { hasDemos, listDemos, readText } from './demos.ts'
import { SHEET_6, SHEET_9 } from './samples.ts'

test('[KF-1] any file is written as it was read', () => {
  fc.assert(
    fc.property(files, (text) => {
      const document = parse(text)
      expect(write(document)).toBe(text)
      expect(write({ ...document, roots: document.roots.map((root) => rebuilt(root)) })).toBe(text)
      expect(write(parse(new TextEncoder().encode(text)))).toBe(text)
    }),
    { numRuns: depth({ common: 300, deep: 20_000 }) },
  )
})

test.each([
  ['KiCad 9', SHEET_9],
  ['KiCad 6', SHEET_6],
  ['returns at line ends', SHEET_9.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\u{FEFF}${SHEET_9}`],
  ['no line end at the end', SHEET_9.trimEnd()],
  ['comments', SHEET_9.replaceAll('\n\t(', '\n# (not a list "\n\t(')],
  ['numbers in other spellings', '(at +1.50 -0 1e-05 .5 007 1.)'],
  ['lists that nobody knows', '(kicad_sch (version 99990101) (hologram (of "x") ((())) |a+b/c=|))'],
  ['embedded data', '(data |KLUv/WAY\n\t\tAAAA//==|\n)'],
  ['no blanks', '(a"b"(c)"d"e)'],
  ['emoji and accents', '(title "Größe 🎛 \\"µ\\"")'],
])('[KF-1] with %s', (_, text) => {
  const document = parse(text)
  expect(write(document)).toBe(text)
  expect(write({ ...document, roots: document.roots.map((root) => rebuilt(root)) })).toBe(text)
})

describe.skipIf(!hasDemos)("KiCad's demonstration projects", () => {
  test('[KF-1] every file is written as it was read', () => {
    const paths = listDemos('{sch,pcb,sym,mod,wks,dru}')
    const others = paths.filter((path) => {
      const text = readText(path)
      const document = parse(text, { roots: path.endsWith('dru') ? 'many' : 'one' })
      if (write(document) !== text) return true
      // A board of 70 MB is 8 million nodes.
      return (
        text.length < 10_000_000 &&
        write({ ...document, roots: document.roots.map((root) => rebuilt(root)) }) !== text
      )
    })
    expect(others).toEqual([])
    expect(paths.length).toBeGreaterThan(depth({ common: 300, deep: 400 }))
  }, 600_000)
})

test('[KF-1] a list knows its own text', () => {
  const [root] = parse('(a\n\t(b "c")\n)').roots
  expect(root?.children.map((child) => writeNode(child))).toEqual(['a', '(b "c")'])
})

const wordsOf = (text: string) => {
  const [root] = parse(text).roots
  return root?.children.map((child) => writeNode(child))
}

test.each([
  ['(a b\tc\nd\r\ne)', ['a', 'b', 'c', 'd', 'e']],
  ['(a"b c" d)', ['a"b', 'c"', 'd']],
  ['("b"c "")', ['"b"', 'c', '""']],
  ['("a\\"b" "\\\\")', ['"a\\"b"', '"\\\\"']],
  ['(a #b\n # c\n#d)\n)', ['a', '#b']],
  ['(a\u00A0b \u000Bc)', ['a\u00A0b', '\u000Bc']],
])('[KF-2] %j has these words', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test.each([
  ['(a)\n', undefined, '\n'],
  ['(a)\n# nothing\n', undefined, '\n# nothing\n'],
  ['(a)\n)\n(b', { line: 2, column: 1 }, '\n)\n(b'],
  ['(a) b', { line: 1, column: 5 }, ' b'],
  ['(a)\0"', { line: 1, column: 4 }, '\0"'],
])('[KF-3] behind the root of %j', (text, rest, gap) => {
  const document = parse(text)
  expect(document.rest).toEqual(rest)
  expect(document.roots).toHaveLength(1)
  expect(document.gaps.at(-1)).toBe(gap)
  expect(write(document)).toBe(text)
})

test('[KF-3] design rules have several roots, or none', () => {
  const rules = '(version 1)\n# between\n(rule "a" (condition "A.x == \'b\'"))\n'
  const document = parse(rules, { roots: 'many' })
  expect(document.roots.map(({ head }) => head)).toEqual(['version', 'rule'])
  expect(write(document)).toBe(rules)
  expect(parse('# nothing yet\n', { roots: 'many' })).toMatchObject({ roots: [], gaps: ['# nothing yet\n'] })
})

test('[KF-3] a list that an edit has put there is written like any other', () => {
  const document = parse(' (a) b')
  const root: List = createList([...(document.roots[0]?.children ?? [])])
  expect(write({ ...document, roots: [root] })).toBe(' (a) b')
})
