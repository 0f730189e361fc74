import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import { assert, integer, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { baseOf, firstName, numbered, readFileName } from '../../src/files/layout.ts'

test('[E-46] the first name is the time in UTC, to the millisecond', () => {
  expect(firstName(new Date('2026-03-04T05:06:07.089+02:00'))).toBe('sp-20260304-030607-089')
})

test('[E-47] with its number a name fits the pattern and the length, and is never the same twice', () => {
  const names = stringMatching(/^[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,5}$/)
  assert(
    property(names, integer({ min: 1, max: 200 }), (name, count) => {
      const found = numbered(name).take(count).toArray()
      expect(new Set(found).size).toBe(count)
      for (const each of found) {
        expect(each).toMatch(new RegExp(PASTE_NAME_PATTERN))
        expect(each.length).toBeLessThanOrEqual(PASTE_LIMITS.nameLength)
      }
    }),
  )
})

test('[E-47] numbers end at 9,999', () => {
  expect([...numbered('login')].at(-1)).toBe('login-9999')
})

test.each([
  '../../etc',
  'a/b',
  'a\\b',
  'A',
  '',
  '-a',
  'a-',
  'a--b',
  'a.png',
  'a\n',
  '.viewer',
  'x'.repeat(61),
  'é',
])('[E-50] %j is no name', (name) => {
  expect(() => baseOf(name, { width: 1, height: 1 })).toThrow(TypeError)
})

test.each([0, -1, 1.5, Number.NaN, Infinity])('[E-50] %d is no size', (width) => {
  expect(() => baseOf('login', { width, height: 1 })).toThrow(TypeError)
})

test('[E-59] a file name tells name and size', () => {
  expect(readFileName('login-2-900x600.png')).toEqual({ name: 'login-2', width: 900, height: 600 })
  for (const file of [
    'login.png',
    'login-900x600-original.png',
    'login-0x600.png',
    '900x600.png',
    'Login-9x6.png',
  ])
    expect(readFileName(file)).toBeUndefined()
})
