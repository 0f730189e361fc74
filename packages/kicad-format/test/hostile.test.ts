import { deepTest, isDeep } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createList,
  KICAD_LIMITS,
  KicadSyntaxError,
  type Node,
  parse,
  write,
  writeNode,
} from '../src/index.ts'

function faultOf(work: () => unknown): KicadSyntaxError {
  try {
    work()
  } catch (error) {
    if (error instanceof KicadSyntaxError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const bytes = (...values: readonly number[]) => new Uint8Array(values)
const deep = (levels: number) => `${'('.repeat(levels)}${')'.repeat(levels)}`

test.each<readonly [string | Uint8Array, string, number, number]>([
  ['', 'empty', 1, 1],
  ['\u{FEFF} \n', 'empty', 2, 1],
  ['# only a comment', 'empty', 1, 17],
  ['hello', 'content_outside', 1, 1],
  [' \n  "a"', 'content_outside', 2, 3],
  ['PK\u0003\u0004', 'content_outside', 1, 1],
  [')', 'unexpected_close', 1, 1],
  ['(a\n  (b\n', 'unclosed_list', 2, 3],
  ['(a "b)\n)', 'unterminated_string', 1, 4],
  ['(a "b\\', 'unterminated_string', 1, 4],
  ['(a "b\\\n")', 'unterminated_string', 1, 4],
  ['(a "', 'unterminated_string', 1, 4],
  ['(a\n b\0c)', 'not_text', 2, 3],
  ['(a "\0")', 'not_text', 1, 5],
  [bytes(0x28, 0x61, 0xff, 0x29), 'not_utf8', 1, 1],
  [bytes(0xff, 0xfe, 0x28, 0x00), 'not_utf8', 1, 1],
])('[KF-4] %j is refused as %s', (text, code, line, column) => {
  const fault = faultOf(() => parse(text))
  expect(fault).toMatchObject({ code, line, column })
  expect(fault.message.startsWith(`Line ${line}, column ${column}: `)).toBe(true)
})

test('[KF-4] nothing but a refusal comes of any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('(', ')', '"', '\\', ' ', '\n', '\r', '#', 'a', '\0', '\u{FEFF}') }),
      (text) => {
        try {
          expect(write(parse(text))).toBe(text)
          expect(write(parse(text, { roots: 'many' }))).toBe(text)
        } catch (error) {
          if (!(error instanceof KicadSyntaxError)) throw error
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('[KF-5] depth is bounded', () => {
  expect(write(parse(deep(KICAD_LIMITS.depth)))).toBe(deep(KICAD_LIMITS.depth))
  expect(faultOf(() => parse(deep(KICAD_LIMITS.depth + 1)))).toMatchObject({
    code: 'too_deep',
    column: KICAD_LIMITS.depth + 1,
  })
  expect(faultOf(() => parse('(a (b (c)))', { limits: { depth: 2 } }))).toMatchObject({ code: 'too_deep' })
})

test('[KF-5] the number of nodes is bounded', () => {
  expect(write(parse('(a b c)', { limits: { nodes: 4 } }))).toBe('(a b c)')
  expect(faultOf(() => parse('(a b c d)', { limits: { nodes: 4 } }))).toMatchObject({
    code: 'too_many_nodes',
    column: 8,
  })
})

test('[KF-5] the length is bounded, before anything is read', () => {
  expect(faultOf(() => parse('(abc)', { limits: { length: 4 } }))).toMatchObject({ code: 'too_long' })
  expect(faultOf(() => parse(bytes(0xff, 0xff), { limits: { length: 1 } }))).toMatchObject({
    code: 'too_long',
  })
})

/** 100 MB in the deep run. */
const HUGE = isDeep ? 100_000_000 : 5_000_000

deepTest.each([
  ['open parentheses', '(', 'too_deep'],
  ['closed ones', ')', 'unexpected_close'],
  ['pairs of them', '()', isDeep ? 'too_many_nodes' : 'unclosed_list'],
  ['words', 'a ', isDeep ? 'too_many_nodes' : 'unclosed_list'],
  ['quotes', '"', isDeep ? 'too_many_nodes' : 'unclosed_list'],
  ['backslashes in a string', '\\', 'unclosed_list'],
  ['comments', '\n#', 'unclosed_list'],
  ['blanks before signs', '\n      #', 'unclosed_list'],
])('[KF-5] very many %s are refused soon', (name, piece, code) => {
  const start = name === 'closed ones' ? '' : '(\n'
  const text = `${start}${piece.repeat(Math.floor(HUGE / piece.length))}`
  expect(faultOf(() => parse(text))).toMatchObject({ code })
})

test('[KF-5] a tree that a program has built is written, however deep it is', () => {
  let node: Node = createList([])
  for (let level = 1; level < 100_000; level++) node = createList([node])
  expect(writeNode(node)).toBe(deep(100_000))
})

test('[KF-6] a byte order mark is kept, in bytes as in text', () => {
  const text = '\u{FEFF}(a)'
  expect(write(parse(new TextEncoder().encode(text)))).toBe(text)
})

deepTest('[KF-7] four times the text takes about four times as long', () => {
  const time = (items: number) => {
    const text = `(kicad_sch ${'\n\t(wire (pts (xy 1.27 2.54) (xy 3.81 2.54)) (uuid "a"))'.repeat(items)})`
    const rounds = Array.from({ length: 7 }, () => {
      const start = performance.now()
      parse(text)
      return performance.now() - start
    })
    return Math.min(...rounds)
  }
  time(5_000)
  expect(time(40_000) / time(10_000)).toBeLessThan(12)
})

test('[KF-7] a list that is looked at does not read what is in the others', () => {
  const inner = '(wire (pts (xy 1.27 2.54) (xy 3.81 2.54)))'
  const [root] = parse(`(kicad_sch ${inner.repeat(50_000)})`).roots
  const rounds = (look: () => unknown) => {
    const start = performance.now()
    look()
    return performance.now() - start
  }
  const first = rounds(() => root?.children.length)
  const whole = rounds(() => {
    for (const child of root?.children ?? [])
      if (child.kind === 'list')
        for (const one of child.children) if (one.kind === 'list') void one.children.length
  })
  expect(first).toBeLessThan(whole * 2)
  expect(root?.children).toBe(root?.children)
})
