import type { SearchResult } from '@patchbay/contracts/content'
import { SEARCH_LIMITS } from '@patchbay/contracts/limits'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { searchFiles } from '../src/search.store.ts'
import { openEditor } from './editor.ts'
import { codeOf, type FilesCaller, startContent, success } from './start.ts'

async function search(files: FilesCaller, query: Record<string, string>): Promise<SearchResult> {
  return await (await success(await files.ask('GET', `/search?${new URLSearchParams(query)}`))).json()
}

const linesOf = ({ files }: SearchResult) =>
  files.flatMap(({ path, lines }) => lines.map(({ line }) => `${path}:${line}`))

test('[F-40][F-42][F-43][F-44][F-45] lines of text files are found by who may read, within bounds', async () => {
  await using node = await startContent()
  await node.make('bob/other')
  const files = node.files('ada/board')
  expect(await search(files, { text: 'led' })).toEqual({ files: [], searched: 0, tooLarge: 0, cut: null })
  await success(await files.put('src/main.c', 'int led;\r\nLED_Init();\r\n'))
  await success(await files.put('docs/pins.md', '# Pins\n\nled: 4\n'))
  await success(await files.put('huge.txt', 'led\n'.repeat(SEARCH_LIMITS.fileBytes / 4 + 1)))
  const nul = new Uint8Array([0, 0x6c, 0x65, 0x64])
  for (const path of ['data.bin', 'picture.png'])
    await success(await files.ask('PUT', `/content?path=${path}`, { body: nul }))
  await success(await node.files('bob/other').put('secret.txt', 'led\n'))

  const all = await search(node.files('ada/board', 'reader'), { text: 'led' })
  expect(all).toMatchObject({ searched: 2, tooLarge: 1, cut: null })
  expect(linesOf(all)).toEqual(['docs/pins.md:3', 'src/main.c:1', 'src/main.c:2'])
  expect(all.files[1]).toMatchObject({
    revision: 1,
    lines: [{ text: 'int led;', column: 0, ranges: [{ from: 4, to: 7 }] }, { text: 'LED_Init();' }],
  })
  expect(linesOf(await search(files, { text: 'led', path: '*.c', wholeWord: 'true' }))).toEqual([
    'src/main.c:1',
  ])
  const one = await search(files, { text: 'led', limit: '1' })
  expect([linesOf(one), one.cut]).toEqual([['docs/pins.md:3'], 'lines'])
  const exact = await search(files, { text: 'led', limit: '3' })
  expect([linesOf(exact).length, exact.cut]).toEqual([3, null])
  for (const query of ['', '?text=', '?text=a%0Ab', `?text=${'x'.repeat(201)}`, '?text=a&limit=1001'])
    expect(await codeOf(files.ask('GET', `/search${query}`))).toBe('400 invalid_request')
  expect(await codeOf(node.files('ada/board', '').ask('GET', '/search?text=led'))).toBe(
    '401 sign_in_required',
  )

  // What is typed is found at once, and what was typed over is not.
  await using editor = disposable(await openEditor(node, 'docs/pins.md'))
  await editor.change(8, 11, 'lamp')
  expect(linesOf(await search(files, { text: 'lamp' }))).toEqual(['docs/pins.md:3'])
  expect(linesOf(await search(files, { text: 'led:' }))).toEqual([])
})

function disposable<Opened extends { leave(): void }>(opened: Opened): Opened & AsyncDisposable {
  return Object.assign(opened, { [Symbol.asyncDispose]: async () => opened.leave() })
}

deepTest('[F-43] what is too much to look at is cut, by bytes and by time', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const sha256 = await files.upload('needle\n'.repeat(100_000))
  const most = Math.floor(SEARCH_LIMITS.bytes / 700_000)
  const operations = Array.from({ length: most + 8 }, (_, at) => ({ op: 'put', path: `${at}.txt`, sha256 }))
  await success(await files.change(operations))
  const cut = await search(files, { text: 'nothing like it' })
  expect([cut.cut, cut.searched <= most, cut.searched > most - 8]).toEqual(['bytes', true, true])
  const at = { owner: 'ada', repo: 'board' }
  const { signal } = new AbortController()
  const late = await searchFiles(node, at, { text: 'needle', limit: 1_000, ms: 0, signal })
  expect(late).toMatchObject({ files: [], cut: 'time' })
  const left = { text: 'needle', limit: 1_000, ms: 5_000, signal: AbortSignal.abort() }
  expect(await searchFiles(node, at, left)).toMatchObject({ files: [] })
})
