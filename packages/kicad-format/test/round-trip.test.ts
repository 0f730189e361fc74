import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  childOf,
  createAtom,
  createList,
  type Document,
  type List,
  parse,
  removeChild,
  replaceChild,
  type TextEdit,
  textEdits,
  valuesOf,
  withRoot,
  write,
  writeNode,
} from '../src/index.ts'
import { files, mended, rebuilt } from './arbitraries.ts'
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
  ['a list without its first parenthesis', '(a (teardrops (curved_edges no)filter_ratio 0.9)\r\n(b yes)))'],
  ['emoji and accents', '(title "Größe 🎛 \\"µ\\"")'],
])('[KF-1] with %s', (_, text) => {
  const document = parse(text)
  expect(write(document)).toBe(text)
  expect(write({ ...document, roots: document.roots.map((root) => rebuilt(root)) })).toBe(mended(text))
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
        write({ ...document, roots: document.roots.map((root) => rebuilt(root)) }) !== mended(text)
      )
    })
    expect(others).toEqual([])
    expect(paths.filter((path) => !path.endsWith('dru') && parse(readText(path)).rest !== undefined)).toEqual(
      [],
    )
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

test('[KF-3] a list without its first parenthesis is one, and an edit of the list around it writes the parenthesis', () => {
  const text = '(via (teardrops (curved_edges no)filter_ratio 0.9)\n (enabled yes)) (net 1))'
  const document = parse(text)
  expect(document.rest).toBeUndefined()
  const [via] = document.roots
  const drops = childOf(via, 'teardrops')
  const ratio = childOf(drops, 'filter_ratio')
  if (via === undefined || drops === undefined || ratio === undefined) throw new Error('not read')
  expect([valuesOf(ratio), ratio.isUnopened, drops.isUnopened]).toEqual([['0.9'], true, false])
  const edited = (before: Document, by: (teardrops: List) => List) => {
    const [root] = before.roots
    const own = childOf(root, 'teardrops')
    if (root === undefined || own === undefined) throw new Error('not read')
    return withRoot(before, replaceChild(root, root.children.indexOf(own), by(own)))
  }
  const without = edited(document, (own) => removeChild(own, 1))
  expect(write(without)).toBe('(via (teardrops(filter_ratio 0.9)\n (enabled yes)) (net 1))')
  const other = edited(document, (own) => replaceChild(own, 3, createList([createAtom('locked')])))
  for (const after of [without, other]) {
    expect(write(parse(write(after)))).toBe(write(after))
    expect(applied(text, textEdits(document, after))).toBe(write(after))
    expect(applied(write(after), textEdits(after, document))).toBe(text)
  }
  const net = via.children.length - 1
  const elsewhere = withRoot(
    document,
    replaceChild(via, net, createList([createAtom('net'), createAtom('2')])),
  )
  expect(write(elsewhere)).toBe(text.replace('(net 1)', '(net 2)'))
})

function applied(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((so, { at, length, text: into }) => so.slice(0, at) + into + so.slice(at + length), text)
}

test.each([
  '(a)filter_ratio 0.9)',
  '(a (b) filter_ratio 0.9)',
  '(a (b)filter_ratios 1)',
  '(a filter_ratio 1)',
])('[KF-3] %j has no such list', (text) => {
  const document = parse(text)
  expect(childOf(document.roots[0], 'filter_ratio')).toBeUndefined()
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
