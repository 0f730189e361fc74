import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayText, escapeHidden, quote, stripHidden, truncate } from '../../src/text/text.ts'

const ACTED_ON = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const IGNORED = /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/u

const PIECES = Array.from(
  '\udc00aée\u0301کक\u094d👩🏽❤1 \n\u0085\u2028\u200b\u200c\u200d\ufe0f\u{e0100}\u{e0041}\u202e\u061c\u180b\u001b[\ufeff\u2800\u3164\u17b4\ud800',
)

/** Texts made of what attacks are made of, and of the letters around which exceptions are made. */
const hostile = array(oneof(string({ unit: 'binary', maxLength: 3 }), constantFrom(...PIECES)), {
  maxLength: 40,
}).map((parts) => parts.join(''))

const ATTACKS: readonly (readonly [string, string, string, string])[] = [
  ['sequences for a terminal', 'a\u001b[2Jb\u009b1m', 'a[2Jb1m', 'a\\u{1b}[2Jb\\u{9b}1m'],
  ['forged lines', 'a\r\nb\u2028c\u2029d', 'abcd', 'a\\u{0d}\\u{0a}b\\u{2028}c\\u{2029}d'],
  ['turned directions', 'a\u202egpj\u2066\u061c', 'agpj', 'a\\u{202e}gpj\\u{2066}\\u{61c}'],
  ['look-alikes', 'ad\u200bm\u200di\u200cn\ufeff', 'admin', 'ad\\u{200b}m\\u{200d}i\\u{200c}n\\u{feff}'],
  ['messages for a model', 'a\u{e0068}\u{e0169}\ufe01', 'a', 'a\\u{e0068}\\u{e0169}\\u{fe01}'],
  ['rows of joiners', '👩\u200d\u200d\u200c', '👩\u200d', '👩\u200d\\u{200d}\\u{200c}'],
  ['half a character', 'a\ud800b', 'ab', 'a\\u{d800}b'],
]

describe('running text', () => {
  test.each(ATTACKS)('[PR-40] %s are removed or written as numbers', (_, text, stripped, escaped) => {
    expect(stripHidden(text)).toBe(stripped)
    expect(escapeHidden(text)).toBe(escaped)
  })

  test('[PR-41] what a script or an emoji is wrong without stays', () => {
    for (const fine of [
      'Zoë’s 図書館',
      'کتاب\u200cخانه',
      'ക്\u200d',
      'क्\u200dष',
      '👩🏽\u200d🔧',
      '❤\ufe0f\u200d🔥',
    ]) {
      expect(stripHidden(fine)).toBe(fine)
      expect(escapeHidden(fine)).toBe(fine)
    }
  })

  test('[PR-40] whatever the text, nothing hidden is left, and cleaning again changes nothing', () => {
    assert(
      property(hostile, (text) => {
        for (const clean of [stripHidden(text), escapeHidden(text), quote(text, 30)]) {
          expect(clean).not.toMatch(ACTED_ON)
          expect(clean).not.toMatch(DIRECTIONS)
          expect(clean).not.toMatch(IGNORED)
          expect(clean).not.toMatch(/[a-z\d](?:\u200c|\u200d|\ufe0f)|(?:\u200c|\u200d){2}/)
          expect(stripHidden(clean)).toBe(clean)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('[PR-42] a quoted text shows where it ends', () => {
    expect(quote('a "b"\u001b\u202e', 60)).toBe(String.raw`"a \"b\"\u001b\u{202e}"`)
    expect(quote('𝄞'.repeat(100), 60)).toBe(`"${'𝄞'.repeat(59)}…"`)
  })
})

describe('names and titles', () => {
  test.each([
    ['blanks around it', '  Board Studio\t', 'Board Studio'],
    ['line breaks', 'Board\r\n\r\n\u2028Studio', 'Board Studio'],
    ['other blanks', 'Board\u00a0\u2003\u0085Studio', 'Board Studio'],
    ['something invisible between blanks', 'Board \u200b\u0000 Studio', 'Board Studio'],
    ['joiners', 'Bo\u200c\u200dard', 'Board'],
    ['fillers, variants and tags', 'Bo\u034f\u115f\u3164\uffa0\u2800\ufe0f\u{e0041}ard', 'Board'],
    ['half a character, and a private one', 'Bo\ud800ard\ue000', 'Board'],
    ['control characters', 'Bo\u0000ar\u001bd\u007f', 'Board'],
    ['marks and isolates of direction', '\u2067\u200fBoard\u202e\u2069\u061c', 'Board'],
  ])('[B-230] %s: gone or one blank', (_, text, shown) => {
    expect(displayText(text)).toBe(shown)
  })

  test.each(['<script>alert(1)</script>', `"quotes" & 'more'`, 'מעבדה', '工作台', '🎛 Synth'])(
    '[B-230] %s stays as it is',
    (text) => {
      expect(displayText(text)).toBe(text)
    },
  )

  test('[B-232] a letter keeps three of its marks, and none begins a name', () => {
    expect(displayText(`x${'\u0332'.repeat(40)}y`)).toBe(`x${'\u0332'.repeat(3)}y`)
    expect(displayText('\u0301 \u0301Board')).toBe('Board')
    for (const word of ['Việt', 'שָׁלוֹם', 'ที่นี่', 'हिन्दी']) expect(displayText(word)).toBe(word.normalize('NFC'))
  })

  test('[B-233] a text of which nothing shows is no name', () => {
    for (const text of ['', ' \n\t', '\u200b\u200d', '\u202e', '\u3164', '\ud800', null, undefined])
      expect(displayText(text)).toBe('')
  })

  test('[B-233] whatever the text, the name is one line of what shows, and stays as it is', () => {
    assert(
      property(hostile, integer({ min: 2, max: 30 }), (text, maxLength) => {
        const shown = displayText(text, maxLength)
        if (shown === '') return
        expect(shown).toMatch(/^(?!\p{M})[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u)
        expect(shown).not.toMatch(/[\p{Default_Ignorable_Code_Point}\u2800]/u)
        expect(Array.from(shown).length).toBeLessThanOrEqual(maxLength)
        expect(displayText(shown, maxLength)).toBe(shown)
      }),
      { numRuns: 1_000 },
    )
  })
})

test('[PR-43] a text that is cut ends in an ellipsis after a whole character', () => {
  expect(truncate('🎛'.repeat(100), 100)).toBe('🎛'.repeat(100))
  expect(truncate('🎛'.repeat(101), 100)).toBe(`${'🎛'.repeat(99)}…`)
  expect(truncate('one two', 5)).toBe('one…')
  assert(
    property(string({ unit: 'grapheme' }), integer({ min: 1, max: 20 }), (text, maxLength) => {
      const cut = truncate(text, maxLength)
      expect(Array.from(cut).length).toBeLessThanOrEqual(maxLength)
      expect(cut.isWellFormed()).toBe(text.isWellFormed())
      expect(cut === text).toBe(Array.from(text).length <= maxLength)
    }),
  )
})
