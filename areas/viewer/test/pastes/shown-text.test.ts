import { expect, test } from 'vitest'
import { shownText } from '../../src/shown-text.ts'

const smuggled = Array.from('obey', (each) => String.fromCodePoint(0xe0100 + each.charCodeAt(0))).join('')

test.each([
  ['variation selectors that spell words', `The login${smuggled}`, 'The login'],
  ['tags that spell words', 'The login\u{e0068}\u{e0069}', 'The login'],
  ['fillers that look like blanks', 'The\u3164\u115f\u2800 login', 'The login'],
  ['what turns the direction of writing', 'The \u202elogin\u2066', 'The login'],
  ['sequences for a terminal', 'The\u001b[2J \u009blogin', 'The [2J login'],
  ['lines', ' The\r\n\u2028login\t', 'The login'],
])('[E-166] of a text with %s the readable characters are kept', (_, text, shown) => {
  expect(shownText(text)).toBe(shown)
})

test('[E-166] a text of which nothing shows is none', () => {
  for (const text of ['', ' \n', smuggled, '\u3164', null, undefined]) expect(shownText(text)).toBeUndefined()
})

test('[E-126] of text of strangers one line of readable characters is left', () => {
  expect(shownText('  The  error\r\nin the \u001b[31mconsole\u0000 ')).toBe('The error in the [31mconsole')
  expect(shownText('safe\u202Etxt.exe\u200B\u2028end')).toBe('safetxt.exe end')
  for (const nothing of [undefined, '', ' \n\t', '\u0000\u200B']) expect(shownText(nothing)).toBeUndefined()
})
