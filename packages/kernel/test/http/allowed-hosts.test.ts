import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostIsAllowed, parseHost } from '../../src/http/allowed-hosts.ts'

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
const port = fc.integer({ min: 0, max: 65_535 })
const randomCase = (text: string, bits: readonly boolean[]) =>
  text.replaceAll(/./g, (c, i: number) => (bits[i % bits.length] ? c.toUpperCase() : c))

test('[K-219] an entry without a port matches every port, in any case', () => {
  fc.assert(
    fc.property(name, port, fc.array(fc.boolean(), { minLength: 1 }), (host, p, bits) => {
      expect(hostIsAllowed(randomCase(host, bits), [host])).toBe(true)
      expect(hostIsAllowed(`${randomCase(host, bits)}:${p}`, [host])).toBe(true)
    }),
  )
})

test('[K-219] an entry with a port matches that port only', () => {
  fc.assert(
    fc.property(name, port, port, (host, mine, other) => {
      expect(hostIsAllowed(`${host}:${mine}`, [`${host}:${mine}`])).toBe(true)
      expect(hostIsAllowed(host, [`${host}:${mine}`])).toBe(false)
      expect(hostIsAllowed(`${host}:${other}`, [`${host}:${mine}`])).toBe(mine === other)
    }),
  )
})

test('[K-219] a name is matched whole, never by its beginning or end', () => {
  fc.assert(
    fc.property(name, name, (host, other) => {
      expect(hostIsAllowed(other, [host])).toBe(other === host)
      expect(hostIsAllowed(`${other}.${host}`, [host])).toBe(false)
      expect(hostIsAllowed(`${host}.${other}`, [host])).toBe(false)
    }),
  )
})

test('[K-219] IPv6 literals stand in brackets and match in every spelling', () => {
  const spellings = ['[::1]', '[::1]:8790', '[0:0:0:0:0:0:0:1]', '[0000::0001]:1']
  expect(spellings.filter((text) => !hostIsAllowed(text, ['[::1]']))).toEqual([])
  expect(hostIsAllowed('[::2]', ['[::1]'])).toBe(false)
  expect(hostIsAllowed('::1', ['[::1]'])).toBe(false)
})

test('[K-219] a malformed header is refused, even when a list holds the same text', () => {
  const malformed = [
    '',
    ' ',
    'a b',
    'a,b',
    'a, a',
    'a:',
    'a:x',
    'a:65536',
    'a:-1',
    'a:1:2',
    ':80',
    '-a',
    'a.',
    'http://a',
    'a/b',
    'u@a',
    'a?b',
    'a#b',
    'a\\b',
    'a%2e',
    '[',
    '[]',
    '[g::1]',
    '[::1',
    '[::1]x',
    '[1:2]',
    'ä',
    'a\t',
  ]
  expect(malformed.filter((text) => hostIsAllowed(text, [text]))).toEqual([])
})

test('[K-219] no text makes the parser throw, and what it reads it reads again the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a1.:[\]-]*$/)), (text) => {
      const host = parseHost(text)
      if (host === undefined) return
      const again = host.port === undefined ? host.name : `${host.name}:${host.port}`
      expect(parseHost(again)).toEqual(host)
    }),
  )
})

test('[K-219] a missing or repeated header is refused', () => {
  expect(hostIsAllowed(undefined, ['a'])).toBe(false)
  expect(hostIsAllowed([], ['a'])).toBe(false)
  expect(hostIsAllowed(['a'], ['a'])).toBe(true)
  expect(hostIsAllowed(['a', 'a'], ['a'])).toBe(false)
  expect(hostIsAllowed('a', [])).toBe(false)
})
