import { foldersOf, foldPath, normalizePath, pathFault } from '@patchbay/contracts/content'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const REFUSED = [
  '',
  '/',
  'a/',
  '/a',
  'a//b',
  '.',
  '..',
  'a/../b',
  'a/./b',
  'a\\b',
  'a:b',
  'a|b',
  'a?',
  'a*',
  '<a',
  'a>',
  '"a"',
  'a\u0000b',
  'a\nb',
  'a\u001b[31m',
  'a\u202eb',
  'a\u200bb',
  'a\u2028b',
  'a\ud800',
  'a.',
  'a ',
  ' a',
  'a. ',
  'b/a.',
  'con',
  'CON',
  'con.txt',
  'x/nul',
  'COM1',
  'lpt9.log',
  'com¹',
  '.git',
  '.GIT/config',
  'a/.git',
  '.patchbay/x',
  'a'.repeat(256),
  'ä'.repeat(128),
  Array.from({ length: 34 }, () => 'a').join('/'),
  'a/'.repeat(600) + 'a',
]

test('[F-1] what could not be written everywhere is no path', () => {
  expect(REFUSED.filter((path) => pathFault(path) === undefined)).toEqual([])
})

test('[F-1] ordinary names are paths, and have one spelling', () => {
  const paths = [
    'a',
    'README.md',
    'src/main.c',
    '.gitignore',
    'Überblick/größe 2.txt',
    '日本/回路.kicad_sch',
    'a.b.c',
    'console.log',
    'x/.env',
  ]
  expect(paths.map((path) => pathFault(path))).toEqual(paths.map(() => undefined))
  expect(normalizePath('U\u0308ber.txt')).toBe('Über.txt')
})

test('[F-1] a spelling is its own spelling, and folds to one text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      if (pathFault(text) !== undefined) return
      const path = normalizePath(text)
      expect(normalizePath(path)).toBe(path)
      expect(foldPath(foldPath(path))).toBe(foldPath(path))
      expect(foldersOf(path).every((folder) => path.startsWith(`${folder}/`))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
