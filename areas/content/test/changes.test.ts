import type { ContentFile } from '@patchbay/contracts/content'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { codeOf, sha256Of, startContent, startContentNode, success } from './start.ts'

test('[F-3] a file is written by whoever has read it, and nobody else', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const made = await files.put('src/main.c', 'one')
  expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"'])
  expect(await codeOf(files.put('src/main.c', 'blind'))).toBe('412 file_changed')
  const changed = await files.put('src/main.c', 'two', '"1"')
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
  const refused = await files.put('src/main.c', 'late', '"1"')
  expect([refused.status, await refused.json()]).toMatchObject([
    412,
    { code: 'file_changed', path: 'src/main.c', current: { revision: 2, size: 3 } },
  ])
  expect(await codeOf(files.put('src/main.c', 'whatever', 'W/"2"'))).toBe('412 file_changed')
  expect(await codeOf(files.put('gone.c', 'x', '"1"'))).toBe('412 file_changed')
  expect(await codeOf(files.put('src/main.c', 'three', '*'))).toBe('200')
  expect(await files.tree()).toEqual({ 'src/main.c': 'three' })
})

deepTest('[F-3] of eight writers on one state over two nodes, one succeeds', async () => {
  await using node = await startContent()
  await using other = await startContentNode({ databaseUrl: node.databaseUrl, folder: node.folder })
  await success(await node.files('ada/board').put('a.txt', 'start'))
  for (let round = 1; round <= 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, writer) =>
        (writer % 2 === 0 ? node : other).files('ada/board').put('a.txt', `${round} ${writer}`, `"${round}"`),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await node.files('ada/board').read('a.txt')).toBe(`${round} ${winner}`)
  }
})

test('[F-23] the answer to a write tells of this write, whoever writes next', async () => {
  await using node = await startContent()
  await using other = await startContentNode({ databaseUrl: node.databaseUrl, folder: node.folder })
  const tags = new Set<string | null>()
  const rounds = 10
  for (let round = 1; round <= rounds; round += 1) {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const files = (writer % 2 === 0 ? node : other).files('ada/board')
      const text = `${round} ${writer}`
      const answer = await success(await files.put('a.txt', text, '*'))
      const { sha256, revision } = (await answer.json()) as ContentFile
      expect([sha256, answer.headers.get('etag')]).toEqual([sha256Of(text), `"${revision}"`])
      tags.add(answer.headers.get('etag'))
    })
    const deleter = node
      .files('ada/board')
      .ask('DELETE', '/content?path=a.txt', { headers: { 'if-match': '*' } })
    await Promise.all([...writers, deleter])
  }
  expect(tags.size).toBe(rounds * 8)
  // Nothing was changed: the file is as old as before.
  const files = node.files('ada/board')
  const made = await success(await files.put('b.txt', 'same'))
  await success(await files.put('c.txt', 'later'))
  const again = await success(await files.put('b.txt', 'same', '*'))
  expect([again.headers.get('etag'), await again.json()]).toEqual([
    made.headers.get('etag'),
    await made.json(),
  ])
})

test('[F-2] what differs by case alone, or is a file and a folder, is refused', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('Docs/read.me', 'x'))
  for (const path of ['docs/read.me', 'Docs/Read.me', 'docs/other', 'Docs', 'docs', 'Docs/read.me/deeper'])
    expect([path, await codeOf(files.put(path, 'y'))]).toEqual([path, '409 path_taken'])
  const sha256 = await files.upload('z')
  const put = (path: string) => ({ op: 'put', path, sha256 })
  expect(await codeOf(files.change([put('n/a'), put('N/b')]))).toBe('409 path_taken')
  expect(await codeOf(files.change([put('n'), put('n/a')]))).toBe('409 path_taken')
  expect(await codeOf(files.change([put('straße'), put('STRASSE')]))).toBe('409 path_taken')
  expect(await codeOf(files.change([{ op: 'move', path: 'Docs', to: 'docs' }]))).toBe('200')
  expect(await codeOf(files.change([{ op: 'delete', path: 'docs' }, put('docs')]))).toBe('200')
  expect(Object.keys(await files.tree())).toEqual(['docs'])
})

test('[F-1] a wrong path is told so on every way in', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  expect(await codeOf(files.put('../x', 'y'))).toBe('422 path_refused')
  expect(await codeOf(files.change([{ op: 'delete', path: '.git/config' }]))).toBe('422 path_refused')
  expect(await codeOf(files.change([{ op: 'move', path: 'a', to: 'b/' }]))).toBe('422 path_refused')
  expect(await codeOf(files.ask('GET', '/content?path=a%00b'))).toBe('422 path_refused')
  expect(await codeOf(files.ask('GET', '?folder=..'))).toBe('422 path_refused')
  expect(await codeOf(files.ask('GET', '/changes?path=a//b'))).toBe('422 path_refused')
  await success(await files.put('U\u0308ber', 'x'))
  expect(await files.read('Über')).toBe('x')
})

test('[F-4] a step happens whole or not at all', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const [one, two] = [await files.upload('one'), await files.upload('two')]
  const step = [
    { op: 'put', path: 'a', sha256: one, ifRevision: null },
    { op: 'put', path: 'b', sha256: two, ifRevision: null },
  ]
  expect(await (await success(await files.change(step, { reason: 'Begin' }))).json()).toEqual({
    revision: 1,
    paths: 2,
  })
  expect(
    await codeOf(
      files.change([
        { op: 'put', path: 'a', sha256: two, ifRevision: 1 },
        { op: 'put', path: 'b', sha256: one, ifRevision: null },
      ]),
    ),
  ).toBe('412 file_changed')
  expect(await files.tree()).toEqual({ a: 'one', b: 'two' })
  // Each expectation is about the state before: a swap is one step.
  const swap = [
    { op: 'move', path: 'a', to: 'c', ifRevision: 1 },
    { op: 'move', path: 'b', to: 'a', ifRevision: 1 },
    { op: 'move', path: 'c', to: 'b' },
  ]
  expect(await (await success(await files.change(swap))).json()).toEqual({ revision: 2, paths: 2 })
  expect(await files.tree()).toEqual({ a: 'two', b: 'one' })
})

test('[F-5] bytes of another workspace are not had by their hash', async () => {
  await using node = await startContent()
  await node.make('bob/secret')
  const sha256 = await node.files('bob/secret', 'bob').upload('the plan')
  const files = node.files('ada/board')
  const put = [{ op: 'put', path: 'plan', sha256 }]
  expect(await codeOf(files.change(put))).toBe('409 bytes_missing')
  const asked = await success(await files.ask('POST', '/blobs/missing', { json: { sha256: [sha256] } }))
  expect(await asked.json()).toEqual({ missing: [sha256] })
  await files.upload('the plan')
  expect(await codeOf(files.change(put))).toBe('200')
})

test('[F-6] folders are moved and deleted with all that is in them', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  for (const path of ['src/a.c', 'src/lib/b.c', 'srcs/c.c']) await success(await files.put(path, path))
  expect(await codeOf(files.change([{ op: 'move', path: 'src', to: 'src/inner' }]))).toBe('409 path_taken')
  expect(await codeOf(files.change([{ op: 'move', path: 'src', to: 'srcs' }]))).toBe('200')
  expect(await files.tree()).toEqual({
    'srcs/a.c': 'src/a.c',
    'srcs/lib/b.c': 'src/lib/b.c',
    'srcs/c.c': 'srcs/c.c',
  })
  expect(await codeOf(files.change([{ op: 'move', path: 'srcs/a.c', to: 'srcs/c.c' }]))).toBe(
    '409 path_taken',
  )
  const { items } = await (await success(await files.ask('GET', '/changed-paths?after=3'))).json()
  expect(items.find(({ path }: { path: string }) => path === 'srcs/lib/b.c')).toMatchObject({
    movedFrom: 'src/lib/b.c',
  })
  expect(await codeOf(files.change([{ op: 'delete', path: 'srcs/lib' }]))).toBe('200')
  expect(await codeOf(files.change([{ op: 'delete', path: 'srcs/lib' }]))).toBe('404 file_not_found')
  expect(Object.keys(await files.tree())).toEqual(['srcs/a.c', 'srcs/c.c'])
})

test('[F-7] a step that changes nothing is no change', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('a', 'same'))
  await success(await files.put('a', 'same', '"1"'))
  const { revision } = await files.list()
  expect([revision, node.noted.length]).toEqual([1, 1])
})

test('[F-8] what is too much is refused, what makes it less is not', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const sha256 = await files.upload('x')
  const many = Array.from({ length: 10_000 }, (_, index) => ({ op: 'put', path: `f/${index}`, sha256 }))
  expect(await codeOf(files.change(many))).toBe('200')
  expect(await codeOf(files.put('one-more', 'x'))).toBe('409 limit_reached')
  expect(await codeOf(files.put('f/1', 'y', '*'))).toBe('200')
  expect(await codeOf(files.change([...many, { op: 'delete', path: 'f' }]))).toBe('400 invalid_request')
  const folders = Array.from({ length: 201 }, () => [
    { op: 'delete', path: 'f' },
    { op: 'put', path: 'f/1', sha256 },
  ]).flat()
  expect(await codeOf(files.change(folders))).toBe('409 limit_reached')
  expect(
    await codeOf(files.ask('PUT', '/content?path=big', { body: new Uint8Array(100 * 1024 ** 2 + 1) })),
  ).toBe('413 body_too_large')
  expect(await codeOf(files.change([{ op: 'delete', path: 'f' }]))).toBe('200')
  expect(await files.list()).toMatchObject({ files: [], folders: [] })
})

test('[F-9] who changed what and why is noted; whose access was ended changes nothing', async () => {
  await using node = await startContent()
  const files = node.files('ada/board', 'bob')
  await success(await files.ask('PUT', '/content?path=a.c&reason=First%20try', { body: 'x' }))
  expect(node.noted).toEqual([{ by: 'bob', action: 'files put a.c', reason: 'First try' }])
  node.ended.add('bob')
  expect(await codeOf(files.put('b.c', 'x'))).toBe('403 access_ended')
  expect(await codeOf(files.change([{ op: 'delete', path: 'a.c' }]))).toBe('403 access_ended')
  expect(await codeOf(node.files('ada/board', 'reader').put('b.c', 'x'))).toBe('403 not_permitted')
  expect(Object.keys(await node.files('ada/board', 'reader').tree())).toEqual(['a.c'])
})
