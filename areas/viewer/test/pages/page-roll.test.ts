import { expect, test } from 'vitest'
import { OpenPages } from '../../src/pages/open-pages.ts'

const HIDDEN = { isVisible: false, isFocused: false }
const VISIBLE = { isVisible: true, isFocused: false }
const FOCUSED = { isVisible: true, isFocused: true }

function open(roll: OpenPages<string>, name: string, attention = VISIBLE, pageId = name): void {
  roll.open(name, { pageId, showing: null, ...attention })
}

test('[E-151] the page focused last is the active one, also after it lost the focus', () => {
  const roll = new OpenPages<string>()
  open(roll, 'a', FOCUSED)
  open(roll, 'b', FOCUSED)
  roll.attend('a', FOCUSED)
  roll.attend('a', HIDDEN)
  roll.attend('b', VISIBLE)
  expect(roll.active()?.connection).toBe('a')
  roll.close('a')
  expect(roll.active()?.connection).toBe('b')
})

test('[E-151] where none was ever focused, the visible one opened last is active, else the one opened last', () => {
  const roll = new OpenPages<string>()
  open(roll, 'a', HIDDEN)
  open(roll, 'b', HIDDEN)
  expect(roll.active()?.connection).toBe('b')
  open(roll, 'c', VISIBLE)
  open(roll, 'd', VISIBLE)
  open(roll, 'e', HIDDEN)
  expect(roll.active()?.connection).toBe('d')
  roll.close('d')
  roll.close('c')
  expect(roll.active()?.connection).toBe('e')
})

test('[E-152] a tab that comes back keeps its place, and one among many does not fill the memory', () => {
  const roll = new OpenPages<string>()
  open(roll, 'a', FOCUSED)
  open(roll, 'b', FOCUSED)
  open(roll, 'c', VISIBLE)
  roll.close('b')
  expect(roll.active()?.connection).toBe('a')
  open(roll, 'b loaded', HIDDEN, 'b')
  expect(roll.active()?.connection).toBe('b loaded')

  roll.close('b loaded')
  for (let count = 0; count < 100; count += 1) {
    open(roll, `passing ${count}`, HIDDEN)
    roll.close(`passing ${count}`)
  }
  open(roll, 'b forgotten', HIDDEN, 'b')
  expect(roll.active()?.connection).toBe('a')
})

test('[E-152] the new connection of a tab has its place before the old one is seen to end', () => {
  const roll = new OpenPages<string>()
  open(roll, 'a', FOCUSED)
  open(roll, 'b', FOCUSED)
  open(roll, 'b again', HIDDEN, 'b')
  roll.close('b')
  expect(roll.active()?.connection).toBe('b again')
  expect(roll.size).toBe(2)
})

test('[E-154] a page that was passed over comes last until it is focused again', () => {
  const roll = new OpenPages<string>()
  open(roll, 'a', VISIBLE)
  open(roll, 'b', FOCUSED)
  roll.passOver('b')
  expect(roll.active()?.connection).toBe('a')
  roll.attend('b', FOCUSED)
  expect(roll.active()?.connection).toBe('b')
})
