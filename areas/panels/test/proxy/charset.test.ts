import { expect, test } from 'vitest'
import { decodeText } from '../../src/proxy/charset.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string, mark = true) => Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le')
const META = (charset: string) => `<meta charset="${charset}">`

test.for([
  ['UTF-8 by header', Buffer.from('grün'), 'text/html; charset=utf-8', 'grün'],
  ['latin by header', latin('gr\xfcn'), 'text/html; charset=ISO-8859-1', 'grün'],
  ['a header in quotes', latin('gr\xfcn'), 'text/html; foo=bar; charset="windows-1252"', 'grün'],
  ['Cyrillic by header', Buffer.from([0xcf, 0xf0, 0xe8]), 'text/html;charset=windows-1251', 'При'],
  ['Japanese by header', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/html; charset=Shift_JIS', '日本'],
  ['Chinese by header', Buffer.from([0xd6, 0xd0]), 'text/html; charset=gb2312', '中'],
  ['a mark before the header', Buffer.from('\uFEFFgrün'), 'text/html; charset=windows-1252', 'grün'],
  ['UTF-16 by its mark', utf16('grün'), 'text/html', 'grün'],
  ['UTF-16, the other way around', utf16('grün').swap16(), 'text/html', 'grün'],
  ['UTF-16 by header', utf16('grün', false), 'text/html; charset=utf-16le', 'grün'],
  ['what the document says', latin(`${META('iso-8859-1')}gr\xfcn`), 'text/html', `${META('iso-8859-1')}grün`],
  [
    'what the document cannot mean',
    Buffer.from(`${META('utf-16')}grün`),
    'text/html',
    `${META('utf-16')}grün`,
  ],
  ['nothing said, valid UTF-8', Buffer.from('grün'), 'text/html', 'grün'],
  ['nothing said, something else', latin('gr\xfcn'), '', 'grün'],
  ['an unknown name', Buffer.from('grün'), 'text/html; charset=klingon', 'grün'],
  ['a name that browsers refuse', Buffer.from('grün'), 'text/html; charset=utf-7', 'grün'],
  ['broken UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'text/html; charset=utf-8', 'a\uFFFDb'],
] as const)('[D-212] %s', ([, bytes, contentType, text]) => {
  expect(decodeText(bytes, contentType)).toBe(text)
})

test('[D-212] only the first kilobyte is looked at', () => {
  const late = latin(`${' '.repeat(1024)}${META('windows-1251')}\xfc`)
  expect(decodeText(late, 'text/html').endsWith('ü')).toBe(true)
})
