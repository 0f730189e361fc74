import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { originIsAllowed } from '../../src/http/allowed-origins.ts'

const scheme = fc.constantFrom('http', 'https')
const host = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]{2,5})?$/)
const port = fc.integer({ min: 1, max: 65_535 })
const origin = fc.tuple(scheme, host, port)
const DEFAULT_PORT: Readonly<Record<string, number>> = { http: 80, https: 443 }

test('[K-220] an origin matches by scheme, host and port, and by nothing less', () => {
  fc.assert(
    fc.property(origin, origin, (a, b) => {
      const same = a[0] === b[0] && a[1] === b[1] && a[2] === b[2]
      expect(originIsAllowed(`${a[0]}://${a[1]}:${a[2]}`, [`${b[0]}://${b[1]}:${b[2]}`])).toBe(same)
    }),
  )
})

test('[K-220] a change of one part alone is another origin', () => {
  fc.assert(
    fc.property(origin, ([s, h, p]) => {
      const list = [`${s}://${h}:${p}`]
      expect(originIsAllowed(`${s}://${h}:${p}`, list)).toBe(true)
      expect(originIsAllowed(`${s === 'http' ? 'https' : 'http'}://${h}:${p}`, list)).toBe(false)
      expect(originIsAllowed(`${s}://x.${h}:${p}`, list)).toBe(false)
      expect(originIsAllowed(`${s}://${h}.x:${p}`, list)).toBe(false)
      expect(originIsAllowed(`${s}://${h}:${p === 1 ? 2 : p - 1}`, list)).toBe(false)
    }),
  )
})

test('[K-220] the default port may be written or left out, and case does not matter', () => {
  fc.assert(
    fc.property(scheme, host, (s, h) => {
      expect(originIsAllowed(`${s}://${h}`, [`${s}://${h}:${DEFAULT_PORT[s]}`])).toBe(true)
      expect(originIsAllowed(`${s.toUpperCase()}://${h.toUpperCase()}`, [`${s}://${h}`])).toBe(true)
    }),
  )
})

test('[K-220] schemes of desktop shells and extensions have a host too', () => {
  expect(originIsAllowed('vscode-webview://abc', ['vscode-webview://abc'])).toBe(true)
  expect(originIsAllowed('vscode-webview://abd', ['vscode-webview://abc'])).toBe(false)
})

test('[K-220] no origin is allowed: no page asks', () => {
  expect(originIsAllowed(undefined, [])).toBe(true)
})

test('[K-220] the opaque origin is refused unless the list names it', () => {
  expect(originIsAllowed('null', ['https://a.example'])).toBe(false)
  expect(originIsAllowed('null', ['https://a.example', 'null'])).toBe(true)
})

test('[K-220] a malformed origin is refused, even when a list holds the same text', () => {
  const malformed = [
    '',
    'a.example',
    'https:a.example',
    'https://',
    'https:///a',
    'https://a.example/',
    'https://a.example?',
    'https://a.example#',
    'https://u@a.example',
    'https:\\\\a.example',
    'https://a.example, https://a.example',
    'https://a.example:99999',
    'https://a b',
    'NULL',
    'https://[::1',
    'file://',
  ]
  expect(malformed.filter((text) => originIsAllowed(text, [text]))).toEqual([])
})

test('[K-220] no text makes the comparison throw', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(originIsAllowed(text, ['https://a.example'])).toBe(text.toLowerCase() === 'https://a.example')
    }),
  )
})
