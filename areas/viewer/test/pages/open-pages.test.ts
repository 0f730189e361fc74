import { expect, test } from 'vitest'
import { OpenPages } from '../../src/pages/open-pages.ts'

const HIDDEN = { isVisible: false, isFocused: false }
const VISIBLE = { isVisible: true, isFocused: false }
const FOCUSED = { isVisible: true, isFocused: true }

function open(pages: OpenPages<string>, name: string, attention = VISIBLE, pageId = name): void {
  pages.open(name, { pageId, ...attention })
}

test('[E-151] the page focused last is the active one, also after it lost the focus', () => {
  const pages = new OpenPages<string>()
  open(pages, 'a', FOCUSED)
  open(pages, 'b', FOCUSED)
  pages.attend('a', FOCUSED)
  pages.attend('a', HIDDEN)
  pages.attend('b', VISIBLE)
  expect(pages.active()?.connection).toBe('a')
  pages.close('a')
  expect(pages.active()?.connection).toBe('b')
})

test('[E-151] where none was ever focused, the visible one opened last is active, else the one opened last', () => {
  const pages = new OpenPages<string>()
  open(pages, 'a', HIDDEN)
  open(pages, 'b', HIDDEN)
  expect(pages.active()?.connection).toBe('b')
  open(pages, 'c', VISIBLE)
  open(pages, 'd', VISIBLE)
  open(pages, 'e', HIDDEN)
  expect(pages.active()?.connection).toBe('d')
  pages.close('d')
  pages.close('c')
  expect(pages.active()?.connection).toBe('e')
})

test('[E-152] a tab that comes back keeps its place, and one among many does not fill the memory', () => {
  const pages = new OpenPages<string>()
  open(pages, 'a', FOCUSED)
  open(pages, 'b', FOCUSED)
  open(pages, 'c', VISIBLE)
  pages.close('b')
  expect(pages.active()?.connection).toBe('a')
  open(pages, 'b loaded', HIDDEN, 'b')
  expect(pages.active()?.connection).toBe('b loaded')

  pages.close('b loaded')
  for (let count = 0; count < 100; count += 1) {
    open(pages, `passing ${count}`, HIDDEN)
    pages.close(`passing ${count}`)
  }
  open(pages, 'b forgotten', HIDDEN, 'b')
  expect(pages.active()?.connection).toBe('a')
})

test('[E-152] the new connection of a tab has its place before the old one is seen to end', () => {
  const pages = new OpenPages<string>()
  open(pages, 'a', FOCUSED)
  open(pages, 'b', FOCUSED)
  open(pages, 'b again', HIDDEN, 'b')
  pages.close('b')
  expect(pages.active()?.connection).toBe('b again')
  expect(pages.size).toBe(2)
})

test('[E-154] a page that was passed over comes last until it is focused again', () => {
  const pages = new OpenPages<string>()
  open(pages, 'a', VISIBLE)
  open(pages, 'b', FOCUSED)
  pages.passOver('b')
  expect(pages.active()?.connection).toBe('a')
  pages.attend('b', FOCUSED)
  expect(pages.active()?.connection).toBe('b')
})
