import { expect, test } from 'vitest'
import { bestOf, fitOf } from '../../src/workspace/menus/match.ts'
import { isPressed, keysForReaders, keysInWords } from '../../src/workspace/menus/shortcut.ts'

const names = (typed: string, all: readonly string[], limit = 10) =>
  bestOf(typed, all, (text) => text, limit).items

test('[W-541] every word has to be there: at a start, inside, or with its letters in order', () => {
  const all = ['main.js', 'src/domain.ts', 'Add panel', 'Make narrower', 'README.md']
  expect(names('main', all)).toEqual(['main.js', 'src/domain.ts'])
  expect(names('panel add', all)).toEqual(['Add panel'])
  expect(names('mjs', all)).toEqual(['main.js'])
  expect(names('mn', all)).toEqual(['main.js', 'Make narrower'])
  expect(names('panel main', all)).toEqual([])
  expect(fitOf('mj', 'team just')).toBeUndefined()
})

test('[W-541] the start of the text is best, then the start of a word, then the inside of one', () => {
  const all = ['x romain', 'the main', 'main', 'm a i n']
  expect(names('main', all)).toEqual(['main', 'the main', 'x romain', 'm a i n'])
  expect(names('main', all, 2)).toEqual(['main', 'the main'])
})

test('[W-541] other words for the same are found by their beginning, and not by letters that are somewhere in them', () => {
  const also = 'past history time markers moment'
  expect(fitOf('hist', 'Replay devices', also)).toBeDefined()
  expect(fitOf('replay moment', 'Replay devices', also)).toBeDefined()
  expect(fitOf('readme', 'Replay devices', also)).toBeUndefined()
  expect(names('repdev', ['Replay devices'])).toEqual(['Replay devices'])
})

test('[W-541] nothing typed leaves all in their order, and odd signs are only letters', () => {
  expect(names(' ', ['b', 'a'])).toEqual(['b', 'a'])
  expect(names('.*', ['a.*', 'ab'])).toEqual(['a.*'])
  expect(names('ö', ['Größe', 'Ölstand'])).toEqual(['Ölstand', 'Größe'])
})

test('[W-541] ten thousand names take no time that anybody feels', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => `board-${at}/firmware/src/module_${at % 97}.c`)
  const begin = performance.now()
  expect(names('bfsm42', all)).toHaveLength(10)
  expect(performance.now() - begin).toBeLessThan(2_000)
})

const pressed = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', true>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
})

test('[W-544] keys are compared with all that is held down, and signs wherever the keyboard has them', () => {
  expect(isPressed('Mod+K', pressed('k', { ctrlKey: true }))).toBe(true)
  expect(isPressed('Mod+K', pressed('k', { metaKey: true }))).toBe(true)
  expect(isPressed('Mod+K', pressed('k'))).toBe(false)
  expect(isPressed('Mod+K', pressed('K', { ctrlKey: true, shiftKey: true }))).toBe(false)
  expect(isPressed('Mod+Shift+T', pressed('T', { ctrlKey: true, shiftKey: true }))).toBe(true)
  expect(isPressed('?', pressed('?', { shiftKey: true }))).toBe(true)
  expect(isPressed('?', pressed('?', { ctrlKey: true }))).toBe(false)
  expect(isPressed('F2', pressed('F2'))).toBe(true)
})

test('[W-544] shortcuts are shown as the keys of the machine are printed', () => {
  expect(keysInWords('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z')
  expect(keysInWords('Mod+Shift+Z', true)).toBe('⇧⌘Z')
  expect(keysForReaders('Mod+K', false)).toBe('Control+K')
  expect(keysForReaders('Mod+K', true)).toBe('Meta+K')
})
