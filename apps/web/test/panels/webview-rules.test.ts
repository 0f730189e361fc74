import { expect, test } from 'vitest'
import { isMixed, readAddress } from '../../src/workspace/panels/parts/address.ts'
import { Echoes } from '../../src/workspace/panels/parts/echoes.ts'
import {
  addressOfFile,
  readWebviewAddress,
  withFilePage,
} from '../../src/workspace/panels/parts/file-address.ts'
import { frameRights } from '../../src/workspace/panels/webview/frame-rights.ts'
import { readPageReport } from '../../src/workspace/panels/webview/page-report.ts'
import {
  placeOf,
  startViewing,
  type Viewing,
  type ViewingStep,
  viewingAfter,
} from '../../src/workspace/panels/webview/viewing.ts'

const after = (start: Viewing, ...steps: ViewingStep[]) => steps.reduce(viewingAfter, start)
const follow = (
  url: string | undefined,
  revision: number,
  isEcho = false,
  refresh?: number,
): ViewingStep => ({
  type: 'follow',
  url,
  refresh,
  revision,
  isEcho,
})

test.each([
  ['example.com', 'https://example.com/'],
  ['  example.com/a b'.replace(' b', ''), 'https://example.com/a'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['127.0.0.1/x?y', 'http://127.0.0.1/x?y'],
  ['[::1]:80', 'http://[::1]/'],
  ['app.localhost', 'http://app.localhost/'],
  ['localhost.example.com', 'https://localhost.example.com/'],
  ['HTTP://Example.com/ä', 'http://example.com/%C3%A4'],
])('[W-291] %s becomes %s', (typed, url) => {
  expect(readAddress(typed)).toEqual({ url })
})

test.each([
  ['', /Type an address/],
  ['two words', /no spaces/],
  ['javascript:alert(1)', /not javascript/],
  ['data:text/html,x', /not data/],
  ['file:///etc/passwd', /not file/],
  ['about:blank', /not about/],
  ['http://', /not an address/],
  ['https://user:secret@example.com', /password/],
  [`example.com/${'x'.repeat(2100)}`, /too long/],
])('[W-291] %s is refused in words', (typed, words) => {
  expect(readAddress(typed)).toEqual({ refused: expect.stringMatching(words) })
})

test.each([
  ['/site/index.html', 'workspace:/site/index.html'],
  [' /my docs/a.html#top ', 'workspace:/my%20docs/a.html#top'],
  ['workspace:/a.html', 'workspace:/a.html'],
  ['/', 'workspace:/'],
  ['/a/../../b.html', 'workspace:/b.html'],
  ['example.com', 'https://example.com/'],
])('[W-681] in a web view, %s becomes %s', (typed, url) => {
  expect(readWebviewAddress(typed)).toEqual({ url })
})

test.each(['//example.com/x', 'workspace://host/x', 'workspace:x', `/${'x'.repeat(2100)}`])(
  '[W-681] %s is no file of the workspace',
  (typed) => {
    expect(readWebviewAddress(typed)).toEqual({ refused: expect.any(String) })
  },
)

test('[W-681] the address of a file names it, whatever is in its name', () => {
  expect(addressOfFile('my docs/50% #1?.html')).toBe('workspace:/my%20docs/50%25%20%231%3F.html')
})

test('[W-681] a file is shown in a web view that shows a file or nothing, and in none with a page of the web', () => {
  const url = 'workspace:/a.html'
  expect(withFilePage('a.html')({})).toEqual({ url })
  expect(withFilePage('a.html')({ url: 'workspace:/b.html' })).toEqual({ url })
  expect(withFilePage('a.html')({ url: 'https://example.com/' })).toBeUndefined()
})

test('[W-298] a page over http needs the proxy inside one over https, except from this computer', () => {
  expect(isMixed('http://example.com/', 'https:')).toBe(true)
  expect(isMixed('https://example.com/', 'https:')).toBe(false)
  expect(isMixed('http://example.com/', 'http:')).toBe(false)
  expect(isMixed('http://127.0.0.1:3000/', 'https:')).toBe(false)
})

test('[W-290] only a page of another origin keeps its origin', () => {
  expect(frameRights('https://other.example/', 'https://ours.example')).toContain('allow-same-origin')
  for (const own of ['https://ours.example/x', 'https://OURS.example:443/', 'nonsense'])
    expect(frameRights(own, 'https://ours.example')).not.toContain('allow-same-origin')
  expect(frameRights('https://other.example/', 'https://ours.example')).not.toContain('top-navigation')
})

test('[W-292] back and forward walk what was shown, and a new place ends what was ahead', () => {
  const there = after(startViewing('a', undefined, 1), { type: 'go', url: 'b' }, { type: 'go', url: 'c' })
  const back = after(there, { type: 'step', by: -1 })
  expect(placeOf(back)).toBe('b')
  expect(placeOf(after(back, { type: 'step', by: 1 }))).toBe('c')
  expect(after(back, { type: 'go', url: 'd' }).visits).toEqual(['a', 'b', 'd'])
  expect(after(there, { type: 'step', by: 1 })).toBe(there)
  const many = after(
    there,
    ...Array.from({ length: 300 }, (_, n): ViewingStep => ({ type: 'go', url: `${n}` })),
  )
  expect(many.visits).toHaveLength(100)
  expect(placeOf(many)).toBe('299')
})

test('[W-293] each change from outside loads once, and other keys of the state load nothing', () => {
  const start = startViewing('a', 1, 1)
  expect(after(start, follow('b', 2, false, 1)).load).toBe(1)
  expect(after(start, follow('b', 2, false, 2)).load).toBe(1)
  expect(after(start, follow('a', 2, false, 2))).toMatchObject({ load: 1, asked: 'a', revision: 2 })
  expect(after(start, follow('a', 2, false, 1))).toMatchObject({ load: 0, revision: 2 })
  expect(after(start, follow(undefined, 2, false, 1)).asked).toBeUndefined()
})

test('[W-297] where a redirect led is the same visit; where the page went after it is another', () => {
  const arrived = after(startViewing('a', undefined, 1), { type: 'reported', url: 'a/home' })
  expect(arrived).toMatchObject({ visits: ['a/home'], load: 0 })
  const moved = after(arrived, { type: 'reported', url: 'b' })
  expect(moved).toMatchObject({ visits: ['a/home', 'b'], load: 0 })
  expect(after(moved, follow('b', 2, true)).load).toBe(0)
  // The page moved by itself; a change of another key must not take it back.
  expect(after(moved, follow('a', 2)).load).toBe(0)
})

test('[W-297] an address of this page that comes back is no news, once', () => {
  let now = 0
  const echoes = new Echoes(() => now)
  echoes.expect('a')
  echoes.expect('b')
  expect(echoes.hears('b')).toBe(true)
  expect(echoes.hears('a')).toBe(false)
  echoes.expect('c')
  expect(echoes.isAwaiting).toBe(true)
  now = 60_000
  expect(echoes.isAwaiting).toBe(false)
  expect(echoes.hears('c')).toBe(false)
  for (let n = 0; n < 100; n += 1) echoes.expect(`${n}`)
  expect(echoes.hears('0')).toBe(false)
  expect(echoes.hears('99')).toBe(true)
})

test('[W-296] what a page reports is read as the word of a stranger', () => {
  expect(readPageReport({ type: 'patchbay:page', url: 'https://a.example/x', title: 'X' })).toEqual({
    type: 'page',
    url: 'https://a.example/x',
    title: 'X',
  })
  for (const junk of [
    null,
    'patchbay:page',
    {},
    { type: 'other' },
    { type: 'patchbay:page', url: 'javascript:alert(1)' },
    { type: 'patchbay:page', url: 7 },
    { type: 'patchbay:page', url: `https://a.example/${'x'.repeat(3000)}` },
    { type: 'patchbay:scroll', y: Number.NaN },
    { type: 'patchbay:scroll', y: '1' },
  ])
    expect(readPageReport(junk)).toBeUndefined()
  const scroll = (y: number, maxY?: unknown) => readPageReport({ type: 'patchbay:scroll', x: 0, y, maxY })
  expect(scroll(400, 1000)).toEqual({ type: 'scroll', pixels: 400, percent: 40 })
  expect(scroll(-5, 1000)).toEqual({ type: 'scroll', pixels: 0, percent: 0 })
  expect(scroll(5000, 1000)).toMatchObject({ percent: 100 })
  expect(scroll(120)).toEqual({ type: 'scroll', pixels: 120, percent: undefined })
})
