import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Place, pageHead } from '../../src/proxy/page-head.ts'
import { rewritePage } from '../../src/proxy/rewrite-page.ts'
import { parseRefresh } from '../../src/proxy/rewrite-tag.ts'
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts'

const PLACE: Place = {
  url: 'http://site.example/dir/page?q#part',
  address: 'http://proxy/page/t/',
  workspaceOrigin: 'http://workspace.example',
}

/** What a page may have before our head: anything that neither runs nor loads. */
const BEFORE = /^(?:\s|<!--[\s\S]*?--!?>|<[!?][^>]*>)*$/

test.for(HOSTILE_DOCUMENTS.filter(({ kept }) => kept === undefined))(
  '[D-213] $name is left as it is',
  async ({ document }) => {
    const [before = '', after = ''] = await rewrite(document)
    expect(before + after).toBe(document)
    expect(before).toMatch(BEFORE)
  },
)

test.for(HOSTILE_DOCUMENTS.filter(({ base }) => base !== undefined))(
  '[D-215] $name leads where the document says',
  async ({ document, kept, base }) => {
    expect((await rewrite(document, base)).join('')).toBe(kept)
  },
)

test.for(HOSTILE_DOCUMENTS.filter(({ kept, base }) => kept !== undefined && base === undefined))(
  '[D-216][D-217] $name is dropped, or leads through the proxy',
  async ({ document, kept }) => {
    const [before = '', after = ''] = await rewrite(document)
    expect(before + after).toBe(kept)
    expect(before).toMatch(BEFORE)
  },
)

test('[D-213] at least 60 documents are tried', () => {
  expect(HOSTILE_DOCUMENTS.length).toBeGreaterThan(60)
})

test('[D-214] our head stands behind the doctype, before everything that runs', async () => {
  for (const start of ['', '<!doctype html>', '<!-- x -->\n<!DOCTYPE html>\n'])
    for (const first of [
      '<script src=a></script>',
      '<html>',
      '<head>',
      'text',
      '</p>',
      '<link rel=preload>',
    ]) {
      const [before] = await rewrite(start + first)
      expect(before).toBe(start.endsWith('>\n') ? start.trimEnd() : start)
    }
})

test('[D-214] values of the page cannot end our tag', async () => {
  const url = 'http://site.example/?"><script>alert(1)</script>'
  const written = await rewritePage('', { ...PLACE, url })
  expect(written.match(/<script/g)).toHaveLength(1)
  expect(written).not.toContain('alert(1)<')
})

test('[D-213] whatever is cut and joined, nothing but our head is added', async () => {
  const parts = HOSTILE_DOCUMENTS.filter(
    ({ kept, document }) => kept === undefined && document.length < 1_000,
  )
  const cut = fc.tuple(fc.constantFrom(...parts), fc.nat(200), fc.nat(200))
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 6 }), async (pieces) => {
      const document = pieces.map(([{ document: text }, from, to]) => text.slice(from % 40, 40 + to)).join('')
      fc.pre(!/<(?:meta|base)|referrerpolicy/i.test(document))
      expect((await rewrite(document)).join('')).toBe(document)
    }),
    { numRuns: 500 },
  )
})

test('[D-241] a document does not grow with the addresses that are put into it', async () => {
  const refresh = '<meta http-equiv=refresh content="0;url=a">'
  for (const length of [1_000, 200_000]) {
    const document = `<base href="/${'x'.repeat(length)}/">${refresh.repeat(20_000)}`
    const written = await rewritePage(document, PLACE)
    expect(written.length).toBeLessThan(document.length + 20_000)
    expect(written.match(/<meta/g)).toHaveLength(1)
  }
  const [, after] = await rewrite(`<meta http-equiv=refresh content="0;url=${'x'.repeat(2_048)}"><p>`)
  expect(after).toBe('<p>')
})

test('[D-241] the first instruction that can be followed counts', async () => {
  const move = (to: string) => `<meta http-equiv="refresh" content="5; url=${to}">`
  const [, after] = await rewrite(move('javascript:alert(1)') + move('one') + move('two'))
  expect(after).toBe(move(`http://proxy/page/t/${encodeURIComponent('http://site.example/dir/one')}`))
})

test.for([
  ['0; url=a b', 'a b'],
  [' 5 ; URL = "a" b', 'a'],
  ["5,url='a", 'a'],
  ['5 a', 'a'],
  ['5;', ''],
  ['5.5', ''],
  ['5a', undefined],
  ['5;url', 'url'],
  ['5;url=', ''],
])('[D-216] "%s" leads to "%s"', ([content = '', to]) => {
  expect(parseRefresh(content)?.to).toBe(to)
})

const LENGTH = depth({ common: 1, deep: 8 }) * 1024 * 1024
/** Below this, times of so short a work tell nothing. */
const ROUNDS = 4
const LEAST_MS = 50

test.for([
  ['tags', '<p>'],
  ['one tag with a million attributes', ' a1 b2 c3 d4 e5 f6'],
  ['one attribute', 'x'],
  ['quotes', '<a title="'],
  ['comments', '<!--'],
  ['less-than signs', '<'],
  ['ampersands', '&'],
  ['references without an end', '&#x'],
  ['doctypes', '<!doctype '],
  ['closing tags', '</'],
  ['svg in svg', '<svg>'],
  ['svg that only looks closed', '<svg><desc></svg>'],
  ['cdata', '<svg><![CDATA[ ]]'],
  ['unclosed scripts', '<script></scrip'],
  ['meta', '<meta http-equiv=refresh content="1;url=x">'],
  ['bases', '<base href=x>'],
  ['delays with blanks', `<meta http-equiv=refresh content="0;a${' '.repeat(100_000)}b">`],
  ['delays of blanks', `<meta http-equiv=refresh content="${' '.repeat(100_000)}x">`],
  ['delays with quotes', `<meta http-equiv=refresh content='0;url="${'" '.repeat(50_000)}x'>`],
])(
  '[D-218] %s take time in proportion, and others work meanwhile',
  { timeout: 240_000 },
  async ([name = '', part = '']) => {
    const inTag = name.startsWith('one') ? '<p ' : ''
    const timedOf = (length: number) => timed(inTag + part.repeat(Math.ceil(length / part.length)))
    // Twice, so that what is compiled and collected meanwhile counts in neither.
    const [small, again] = [await timedOf(LENGTH / 4), await timedOf(LENGTH / 4)]
    // What takes longer than this for each piece would take minutes for 8 MiB, by the square of it.
    const inProportionMs = Math.max(4 * Math.min(small.cpuMs, again.cpuMs), LEAST_MS)
    let large = await timedOf(LENGTH)
    // The best of a few: a collection of all that came before may fall into any of them.
    for (let round = 1; round < ROUNDS && large.cpuMs >= 3 * inProportionMs; round += 1)
      large = await timedOf(LENGTH)
    expect(large.cpuMs).toBeLessThan(3 * inProportionMs)
    // One for each piece that is read; of nested drawings not many are read, the rest is copied.
    expect(large.turns).toBeGreaterThanOrEqual(part.startsWith('<svg>') ? 2 : 8)
  },
)

/** By the processor's time, so that others who use the machine do not count. */
async function timed(document: string) {
  let isDone = false
  let turns = 0
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const begun = process.threadCpuUsage()
  await rewritePage(document, PLACE)
  isDone = true
  const { user, system } = process.threadCpuUsage(begun)
  return { turns, cpuMs: (user + system) / 1000 }
}

/** What stands before our head and after it. */
async function rewrite(document: string, base: string = PLACE.url): Promise<string[]> {
  return (await rewritePage(document, PLACE)).split(pageHead(PLACE, base))
}
