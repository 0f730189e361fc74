import { expect, test } from 'vitest'
import { compileKeepOnUpdate, findUnsafePatterns, KeepOnUpdateTooSlow } from '../src/keep-on-update.ts'
import { findKeepOnUpdateFaults } from '../src/keep-on-update-faults.ts'
import { validateText } from '../src/validate/index.ts'
import { cpuMilliseconds } from './cpu-time.ts'
import { examplePackage } from './examples.ts'

const SETTINGS = '/plugins/com_x_y/config.ini'

test('[A-180] a pattern matches anywhere in the path', () => {
  expect(compileKeepOnUpdate(['config']).keeps(SETTINGS)).toBe(true)
  expect(compileKeepOnUpdate(['^config']).keeps(SETTINGS)).toBe(false)
  expect(compileKeepOnUpdate(['^/plugins/[^/]+/config\\.ini$']).keeps(SETTINGS)).toBe(true)
})

test('[A-180] case matters', () => {
  expect(compileKeepOnUpdate(['Config']).keeps(SETTINGS)).toBe(false)
})

test('[A-180] one of several is enough, none keeps nothing', () => {
  expect(compileKeepOnUpdate(['\\.db$', '\\.ini$']).keeps(SETTINGS)).toBe(true)
  expect(compileKeepOnUpdate([]).keeps(SETTINGS)).toBe(false)
})

test.each([
  ['a nested repetition', '(x+x+)+y'],
  ['a repetition of nothing', '(x*)*$'],
  ['a choice of the same', '^(x|x)+$'],
  ['the longest pattern', '.*'.repeat(500)],
])('[A-181] %s is done with a long path within a second', (_, pattern) => {
  const path = `${'x'.repeat(20_000)}!`
  expect(cpuMilliseconds(() => compileKeepOnUpdate([pattern]).keeps(path))).toBeLessThan(1000)
})

test.each([
  ['a look behind', '(?<=a)b', /invalid/],
  ['a look ahead', '(?=a)', /unsupported/],
  ['a back reference', '(a)\\1', /invalid escape/],
  ['half a class', '[', /missing closing/],
  ['a million repetitions', '(a{1000}){1000}', /repeat count/],
  ['a thousand options', '(?:x?){1000}', /repeats too much/],
  ['a short one that is a long program', '[^x]{0,999}[xX]', /repeats too much/],
  ['1001 characters', 'x'.repeat(1001), /more than 1000 characters/],
])('[A-182] %s: refused with a reason', (_, pattern, reason) => {
  expect(findUnsafePatterns(['fine', pattern])).toEqual([{ pattern, reason: expect.stringMatching(reason) }])
  expect(() => compileKeepOnUpdate(['fine', pattern])).toThrow(TypeError)
})

test('[A-182] the 101st pattern is refused', () => {
  const patterns = Array.from({ length: 101 }, (_, index) => `file${index}`)
  expect(findUnsafePatterns(patterns)).toEqual([
    { pattern: 'file100', reason: 'there are more than 100 patterns' },
  ])
  expect(findUnsafePatterns(patterns.slice(1))).toEqual([])
})

test('[A-182] patterns that are too much work together are refused from the one that is too much', () => {
  const patterns = Array.from({ length: 100 }, () => '[^x]{0,300}[xX]')
  const unsafe = findUnsafePatterns(patterns)
  expect(unsafe).toHaveLength(96)
  expect(unsafe[0]?.reason).toMatch(/too much work/)
})

test('[A-192] the worst patterns that are not refused take less than a second per file, compiled and all', () => {
  const candidates = ['[^x]{0,540}[xX]', '(.{0,270}[q-z]|.{0,270}[Q-Z])$', '(?:.{0,30}){18}[yY]']
  const path = `/plugins/com_a_b/${'a/'.repeat(100)}f`
  for (const candidate of candidates) {
    const patterns = Array.from({ length: 100 }, () => candidate)
    const spent = cpuMilliseconds(() => {
      const refused = findUnsafePatterns(patterns).length
      compileKeepOnUpdate(patterns.slice(0, patterns.length - refused)).keeps(path)
    })
    expect(spent).toBeLessThan(1000)
  }
})

test('[A-192] all files together have a time, and after it a failure of its own kind', () => {
  let time = 0
  const keep = compileKeepOnUpdate(['nothing'], { budgetMs: 100, now: () => (time += 10) })
  const matchAll = () => Array.from({ length: 100 }, (_, index) => keep.keeps(`/plugins/x/${index}`))
  expect(matchAll).toThrow(KeepOnUpdateTooSlow)
  expect(keep.keeps.bind(keep, SETTINGS)).toThrow(KeepOnUpdateTooSlow)
})

test('[A-192] an ordinary list of patterns is done with 20,000 files in its time', () => {
  const keep = compileKeepOnUpdate(['\\.ini$', '^/plugins/[^/]+/(config|settings)\\.(ini|json)$', '/cache/'])
  const paths = Array.from({ length: 20_000 }, (_, index) => `/plugins/com_x_y/deep/${index}/main${index}.py`)
  expect(paths.filter((path) => keep.keeps(path))).toEqual([])
})

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`)

test('[A-183] each list may be as long as allowed, but not both together', () => {
  const version = { keep_on_update: numbered(41, 'version') }
  const value = { keep_on_update: numbered(60, 'package'), versions: [{}, version] }
  expect(findKeepOnUpdateFaults({ ...value, versions: [{}] })).toEqual([])
  expect(findKeepOnUpdateFaults({ versions: [version] })).toEqual([])
  expect(findKeepOnUpdateFaults(value)).toEqual([
    {
      pointer: '/versions/1/keep_on_update/40',
      message: expect.stringContaining('(there are more than 100 patterns, those of the package included)'),
      severity: 'warning',
      code: 'unsafe_pattern',
    },
  ])
})

test('[A-183] what is in both lists counts once, and each bad pattern is told in its place', () => {
  const shared = numbered(60, 'package')
  const both = {
    keep_on_update: shared,
    versions: [{ keep_on_update: [...shared, ...numbered(40, 'more')] }],
  }
  expect(findKeepOnUpdateFaults(both)).toEqual([])
  const bad = { keep_on_update: ['fine', '('], versions: [{ keep_on_update: ['(a)\\1'] }, {}] }
  expect(findKeepOnUpdateFaults(bad).map(({ pointer }) => pointer)).toEqual([
    '/keep_on_update/1',
    '/versions/0/keep_on_update/0',
  ])
})

test('[A-183] two lists that are little work each and too much together', () => {
  const heavy = (letter: string) => [`[^${letter}]{0,300}x`, `[^${letter}]{0,300}y`, `[^${letter}]{0,300}z`]
  const value = { keep_on_update: heavy('a'), versions: [{ keep_on_update: heavy('b') }] }
  expect(findKeepOnUpdateFaults(value)).toMatchObject([
    { pointer: '/versions/0/keep_on_update/1', message: expect.stringMatching(/too much work, those of/) },
    { pointer: '/versions/0/keep_on_update/2' },
  ])
})

test.each(['[', '(?!x)y', '(?<=a)b', '(a)\\1'])(
  '[A-183] C9: a text is told line and column of %s, and its package is valid',
  (pattern) => {
    const text = JSON.stringify(examplePackage({ keep_on_update: [pattern] }), null, 1)
    expect(validateText(text).isValid).toBe(true)
    const { isValid, packages } = validateText(text, { findMore: findKeepOnUpdateFaults })
    const line = text.split('\n').indexOf(`  ${JSON.stringify(pattern)}`) + 1
    expect({ isValid, findings: packages[0]?.findings }).toMatchObject({
      isValid: true,
      findings: [
        { pointer: '/keep_on_update/0', line, column: 3, code: 'unsafe_pattern', severity: 'warning' },
      ],
    })
    expect(packages[0]?.value?.keep_on_update).toEqual([pattern])
  },
)

test('[A-183] a package that is invalid anyway is not asked for its patterns', () => {
  const text = JSON.stringify(examplePackage({ license: 'none', keep_on_update: 'no list' }))
  const findMore = () => expect.unreachable('it was asked')
  expect(validateText(text, { findMore }).isValid).toBe(false)
})
