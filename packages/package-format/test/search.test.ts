import { expect, test } from 'vitest'
import { linkOf, rankPackages } from '../src/index.ts'

const entry = (identifier: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  identifier,
  name: 'Something',
  description: 'A thing',
  description_full: '',
  tags: [] as string[],
  author: { name: 'Ada', contact: {} },
  ...fields,
})
const found = (query: string, ...entries: readonly ReturnType<typeof entry>[]) =>
  rankPackages(entries, query).map(({ identifier }) => identifier)

test('[A-140] every word must occur, in any field and any case', () => {
  const router = entry('com.x.router', { name: 'Auto Router', description: 'Routes TRACES' })
  expect(found('ROUTER traces', router)).toEqual(['com.x.router'])
  expect(found('router ada', router)).toEqual(['com.x.router'])
  expect(found('router copper', router)).toEqual([])
})

test('[A-140] no words find all, in the order that was given', () => {
  expect(found('  ', entry('b'), entry('a'))).toEqual(['b', 'a'])
})

test('[A-140] optional fields may be absent', () => {
  expect(rankPackages([{ name: 'Via', identifier: 'a.b', description: '' }], 'via')).toHaveLength(1)
})

test('[A-141] the field decides first', () => {
  const entries = [
    entry('f.full', { description_full: 'via' }),
    entry('e.author', { author: { name: 'Via', contact: {} } }),
    entry('d.description', { description: 'via' }),
    entry('c.tags', { tags: ['via'] }),
    entry('b.via'),
    entry('a.name', { name: 'Some trivial thing' }),
  ]
  const order = ['a.name', 'b.via', 'c.tags', 'd.description', 'e.author', 'f.full']
  expect(found('via', ...entries)).toEqual(order)
  expect(found('via', ...entries.toReversed())).toEqual(order)
})

test('[A-141] within a field: all of it, then the beginning of a word, then its inside; equal ones by name', () => {
  const entries = [
    entry('d.inside', { name: 'Trivial' }),
    entry('c.start', { name: 'Stitching vias' }),
    entry('b.start', { name: 'A via fence' }),
    entry('a.all', { name: 'Via' }),
  ]
  expect(found('via', ...entries)).toEqual(['a.all', 'b.start', 'c.start', 'd.inside'])
})

test('[A-142] http and https addresses become links', () => {
  expect(linkOf('https://example.com/a?b#c')?.href).toBe('https://example.com/a?b#c')
  expect(linkOf('HTTP://EXAMPLE.com')?.href).toBe('http://example.com/')
})

test.each([
  ['javascript:alert(1)'],
  ['java\nscript:alert(1)'],
  ['javascript:alert(1)//file:///x'],
  ['data:text/html,x'],
  ['file:///etc/passwd'],
  ['https:example.com'],
  ['//example.com'],
  [' https://example.com'],
  ['https://example.com\n'],
  ['https://bank.example@evil.example/'],
  ['https://:secret@example.com'],
  ['https://'],
  ['http://[x'],
  ['ada@example.com'],
  [''],
])('[A-142] %o does not', (text) => {
  expect(linkOf(text)).toBeUndefined()
})
