import { expect, test } from 'vitest'
import { searchCondition, searchVector } from '../../src/packages/search-words.ts'

test('[A-40] words are letters and digits, folded, and parts of names in mixed case', () => {
  const vector = searchVector({
    name: 'InteractiveHtmlBom',
    identifier: 'org.Example.ibom-2',
    tags: ['bom'],
    description: 'Café & ＢＯＭ: foo/bar@baz',
  })
  expect(vector.split(' ')).toEqual([
    "'interactivehtmlbom':1A",
    "'interactive':2A",
    "'html':3A",
    "'bom':4A,59B,111C",
    "'org':55B",
    "'example':56B",
    "'ibom':57B",
    "'2':58B",
    "'café':110C",
    "'foo':112C",
    "'bar':113C",
    "'baz':114C",
  ])
})

test('[A-40] the last word may be unfinished, the others may not', () => {
  expect(searchCondition('  Html  BO')).toEqual({
    all: "'html' & 'bo':*",
    any: "'html' | 'bo':*",
    words: [
      { inName: "'html':A", inTags: "'html':B", inDescription: "'html':C" },
      { inName: "'bo':*A", inTags: "'bo':*B", inDescription: "'bo':*C" },
    ],
  })
  expect(searchCondition('a a a')?.words).toHaveLength(2)
  expect(searchCondition(' -- ')).toBeUndefined()
})

test('[A-46] a long text becomes a bounded query of bounded words', () => {
  const words = Array.from({ length: 50 }, (_, index) => `w${index}`)
  expect(searchCondition(words.join(' '))?.all.split(' & ')).toHaveLength(10)
  expect(searchCondition('x'.repeat(200))?.all).toBe(`'${'x'.repeat(60)}':*`)
})

test('[A-40] a word keeps as many places as PostgreSQL does', () => {
  const vector = searchVector({ name: 'n', identifier: 'a.b', description: 'led '.repeat(1_000) })
  expect(/'led':([^ ]+)/.exec(vector)?.[1]?.split(',')).toHaveLength(255)
})
