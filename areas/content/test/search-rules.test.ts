import { SEARCH_LIMITS } from '@patchbay/contracts/limits'
import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { lineFinder, pathFilter, type SearchWish } from '../src/search.ts'

const found = (text: string, wish: SearchWish, limit = 1_000) =>
  lineFinder(wish)(text, limit).map(({ line, text: shown, ranges }) => [
    line,
    ...ranges.map(({ from, to }) => shown.slice(from, to)),
  ])

test('[F-40] text is found as it is written, in any case unless told, with its lines counted', () => {
  const text = 'int Main(void)\n\n{ main(); MAIN(); }\nmai\nn'
  expect(found(text, { text: 'main' })).toEqual([
    [1, 'Main'],
    [3, 'main', 'MAIN'],
  ])
  expect(found(text, { text: 'main', caseSensitive: true })).toEqual([[3, 'main']])
  expect(found('a.c\nabc', { text: 'a.c' })).toEqual([[1, 'a.c']])
  expect(found('a*c\nabc', { text: 'a*c' })).toEqual([[1, 'a*c']])
  // A letter that becomes two when it is made small does not shift what follows.
  expect(found('İİ main', { text: 'MAIN' })).toEqual([[1, 'main']])
})

test('[F-40] [property] the first line with a text is the one that splitting finds', () => {
  const sign = constantFrom('a', 'B', 'b', '\n', ' ', '😀', 'İ')
  const text = array(sign, { maxLength: 30 }).map((signs) => signs.join(''))
  assert(
    property(text, constantFrom('a', 'ab', 'b a', '😀', 'aa'), (given, wanted) => {
      const expected = given
        .split('\n')
        .flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index + 1] : []))
      expect(lineFinder({ text: wanted })(given, 100).map(({ line }) => line)).toEqual(expected)
    }),
  )
})

test('[F-41] whole words have no letter, digit or underscore beside them', () => {
  const words = 'led, led_1 (led) leds LED äled'
  expect(found(words, { text: 'led', wholeWord: true })).toEqual([[1, 'led', 'led', 'LED']])
  expect(found('a->b(x)', { text: '->b', wholeWord: true })).toEqual([[1, '->b']])
})

test('[F-41] a star stands for anything within the line, where that is asked for', () => {
  const text = 'return HAL_Init();\nreturn\nHAL_Init'
  expect(found(text, { text: 'return*init', wildcards: true })).toEqual([[1, 'return HAL_Init']])
  expect(found('ab\n\nc', { text: '*', wildcards: true })).toEqual([
    [1, 'ab'],
    [3, 'c'],
  ])
})

test('[F-43] a long line is shown around what was found, and never half of a character', () => {
  const [line] = lineFinder({ text: 'x' })(`${'😀'.repeat(1_000)}x${'😀'.repeat(1_000)}`, 10)
  const { text = '', column = 0, ranges: [first] = [] } = line ?? {}
  expect([text.length <= SEARCH_LIMITS.shownCharacters, text.isWellFormed()]).toEqual([true, true])
  expect([text.slice(first?.from, first?.to), column + (first?.from ?? 0)]).toEqual(['x', 2_000])
})

test('[F-43] lines without end and patterns that nearly fit take no time', () => {
  const line = `${'a '.repeat(400_000)}bc`
  const startedAt = performance.now()
  expect(found(line, { text: 'a*b*a*b', wildcards: true, wholeWord: true })).toEqual([])
  expect(found(line, { text: 'a*b', wildcards: true, wholeWord: true })).toEqual([])
  expect(found(line, { text: 'a' })[0]?.length).toBe(1 + SEARCH_LIMITS.rangesPerLine)
  const isMeant = pathFilter(`${'*a'.repeat(100)}b`)
  for (let count = 0; count < 100; count += 1) isMeant('a'.repeat(255))
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('[F-42] a path is a file, a folder or a pattern', () => {
  const all = ['Makefile', 'src/main.c', 'src/lib/util.c', 'src/lib/util.h', 'test/src/a.c', 'src-old/x.c']
  const meant = (path: string | undefined) => all.filter(pathFilter(path))
  expect(meant(undefined)).toEqual(all)
  expect(meant('makefile')).toEqual(['Makefile'])
  expect(meant('src/')).toEqual(['src/main.c', 'src/lib/util.c', 'src/lib/util.h'])
  expect(meant('./src/lib')).toEqual(['src/lib/util.c', 'src/lib/util.h'])
  expect(meant('*.c')).toEqual(['src/main.c', 'src/lib/util.c', 'test/src/a.c', 'src-old/x.c'])
  expect(meant('src/*.c')).toEqual(['src/main.c'])
  expect(meant('src/**/*.?')).toEqual(['src/main.c', 'src/lib/util.c', 'src/lib/util.h'])
  expect(meant('**/src')).toEqual(['src/main.c', 'src/lib/util.c', 'src/lib/util.h', 'test/src/a.c'])
  expect(meant('src*')).toEqual([
    'src/main.c',
    'src/lib/util.c',
    'src/lib/util.h',
    'test/src/a.c',
    'src-old/x.c',
  ])
})
