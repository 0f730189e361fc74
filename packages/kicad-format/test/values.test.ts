import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createAtom,
  KICAD_LIMITS,
  lengthOf,
  millimeters,
  NANOMETERS,
  parse,
  quote,
  valueOf,
  write,
  writeNode,
} from '../src/index.ts'

test.each([
  ['word', 'word'],
  ['"a b"', 'a b'],
  ['""', ''],
  [String.raw`"a\"b\\c"`, 'a"b\\c'],
  [String.raw`"one\ntwo\r\ttab"`, 'one\ntwo\r\ttab'],
  [String.raw`"\x41\102\q"`, 'ABq'],
  ['"µ 🎛"', 'µ 🎛'],
])('[KF-8] %s says %j', (text, value) => {
  expect(valueOf(createAtom(text))).toBe(value)
})

test('[KF-8] any text can be said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const atom = quote(text)
      expect(valueOf(atom)).toBe(text)
      if (text.includes('\0')) return
      const [root] = parse(`(a ${atom.text})`).roots
      expect(root?.children.map((child) => writeNode(child))).toEqual(['a', atom.text])
    }),
  )
})

test.each([
  ['1.27', 1_270_000],
  ['-0.0001', -100],
  ['0', 0],
  ['-0', 0],
  ['+2.54', 2_540_000],
  ['1e-05', 10],
  ['154.93999999999997', 154_940_000],
  ['.5', 500_000],
  ['1.', 1_000_000],
])('[KF-9] %s mm is %d nm', (text, nanometers) => {
  expect(lengthOf(text)).toBe(nanometers)
})

test.each([
  '',
  'a',
  '1,27',
  '1e999',
  '1e9',
  '0x10',
  '--1',
  'NaN',
  'Infinity',
  '1 2',
  '99999999999999999999999999',
  '1e-9999',
])('[KF-9] %j is no length', (text) => {
  expect(lengthOf(text)).toBeUndefined()
})

test('[KF-9] any length is written so that the same is read', () => {
  const { coordinate } = KICAD_LIMITS
  fc.assert(
    fc.property(fc.integer({ min: -coordinate, max: coordinate }), (nanometers) => {
      const { text } = millimeters(nanometers)
      expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/)
      expect(lengthOf(text)).toBe(nanometers)
    }),
  )
  expect([2.54, -0.5, 100].map((mm) => millimeters(mm * NANOMETERS).text)).toEqual(['2.54', '-0.5', '100'])
  expect(write(parse('(at 1.270 2.54)'))).toBe('(at 1.270 2.54)')
})
