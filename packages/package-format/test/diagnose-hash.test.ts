import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { diagnoseHash } from '../src/validate/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

test.each([
  ['{"a": "é"}\n', '{"a": "é"}\n', 'match'],
  ['{\n"a": "é"\n}\n', '{\r\n"a": "é"\r\n}\r\n', 'crlf'],
  ['{\r\n"a": 1\n}\n', '{\r\n"a": 1\r\n}\r\n', 'crlf'],
  ['{\r\n"a": "\r"\r\n}', '{\n"a": "\r"\n}', 'lf'],
  ['{}', '{}\n', 'final_newline'],
  ['{}\n', '{}', 'final_newline'],
  ['{}', '\uFEFF{}', 'bom'],
  ['\uFEFF{}', '{}', 'bom'],
  ['{}', '{"a": 1}', 'mismatch'],
  ['', '{}', 'mismatch'],
])('[A-163] %o, hashed as %o: %s', async (text, hashed, diagnosis) => {
  const report = await diagnoseHash(bytes(text), hashOf(hashed))
  expect(report).toMatchObject({ actual: hashOf(text), diagnosis })
})

test('[A-163] the message says when it matches', async () => {
  const { message } = await diagnoseHash(bytes('a\nb'), hashOf('a\r\nb'))
  expect(message).toContain('matches when line ends are CRLF')
})
