import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { displayName } from '../../src/pages/display-name.ts'

test.each([
  ['spaces around it', '  Board Studio\t', 'Board Studio'],
  ['line breaks', 'Board\r\n\r\nStudio', 'Board Studio'],
  ['other spaces', 'Board\u00a0\u2003\u2028Studio', 'Board Studio'],
  ['a control character that breaks lines', 'Board\u0085Studio', 'Board Studio'],
  ['something invisible between spaces', 'Board \u200b Studio', 'Board Studio'],
  ['control characters', 'Bo\u0000ar\u001bd\u007f', 'Board'],
  ['an override of the direction', '\u202eduorC\u202c', 'duorC'],
  ['marks and isolates of direction', '\u2067\u200fBoard\u2069\u061c', 'Board'],
  ['zero-width characters', 'Bo\u200b\u200c\u200d\u2060\ufeff\u00adard', 'Board'],
  ['fillers, variants and tags', 'Bo\u034f\u115f\u3164\uffa0\u2800\ufe0f\u{e0041}ard', 'Board'],
  ['half a character, and a private one', 'Bo\ud800ard\ue000', 'Board'],
])('[B-230] %s: gone or one space', (_, text, shown) => {
  expect(displayName(text)).toBe(shown)
})

test.each([
  '<script>alert(1)</script>',
  `"quotes" & 'more'`,
  'מעבדה',
  '工作台',
  '🎛️ Synth'.replace('\ufe0f', ''),
])('[B-230] %s stays as it is', (text) => {
  expect(displayName(text)).toBe(text)
})

test('[B-231] 100 code points are shown, of 101 the first 99', () => {
  expect(displayName('🎛'.repeat(100))).toBe('🎛'.repeat(100))
  expect(displayName('🎛'.repeat(101))).toBe(`${'🎛'.repeat(99)}…`)
})

test('[B-231] an ellipsis follows a word, not a space', () => {
  expect(displayName(`${'W'.repeat(98)} ${'W'.repeat(98)}`)).toBe(`${'W'.repeat(98)}…`)
})

test('[B-232] a letter keeps three of its marks', () => {
  expect(displayName(`x${'\u0332'.repeat(40)}y`)).toBe(`x${'\u0332'.repeat(3)}y`)
})

test('[B-232] letters that people write with marks keep them', () => {
  for (const word of ['Việt', 'שָׁלוֹם', 'ที่นี่', 'हिन्दी']) expect(displayName(word)).toBe(word.normalize('NFC'))
})

test('[B-233] a text with nothing to see is no name', () => {
  for (const text of ['', '   ', '\n\t', '\u200b\u200d', '\u202e', '\u3164', '\ud800'])
    expect(displayName(text)).toBeUndefined()
})

test('[B-233] whatever the text, the name is short, on one line, well formed, and stays as it is', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 300 }), (text) => {
      const name = displayName(text)
      if (name === undefined) return
      expect(Array.from(name).length).toBeLessThanOrEqual(100)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s|\s$|\s\s/u)
      expect(name.isWellFormed()).toBe(true)
      expect(displayName(name)).toBe(name)
    }),
    { numRuns: 1_000 },
  )
})
