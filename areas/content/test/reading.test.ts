import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { codeOf, startContent, success } from './start.ts'

const run = promisify(execFile)

test('[F-14] a folder lists what is in it, page by page', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const paths = ['README.md', 'src/a.c', 'src/b.c', 'src/lib/c.c', 'src-old/d.c', 'Überblick.txt', 'zz/y/x']
  const operations = await Promise.all(
    paths.map(async (path) => ({ op: 'put', path, sha256: await files.upload(path) })),
  )
  await success(await files.change(operations))
  const root = await files.list()
  expect(root.folders).toEqual([
    { path: 'src', files: 3, bytes: 'src/a.c'.length * 2 + 'src/lib/c.c'.length },
    { path: 'src-old', files: 1, bytes: 'src-old/d.c'.length },
    { path: 'zz', files: 1, bytes: 'zz/y/x'.length },
  ])
  expect(root.files.map(({ path, mediaType }) => [path, mediaType])).toEqual([
    ['README.md', 'text/markdown'],
    ['Überblick.txt', 'text/plain'],
  ])
  expect((await files.list('?folder=src')).files.map(({ path }) => path)).toEqual(['src/a.c', 'src/b.c'])
  expect((await files.list('?folder=src')).folders.map(({ path }) => path)).toEqual(['src/lib'])
  expect(await files.list('?folder=nothing')).toMatchObject({ files: [], folders: [] })
  const walked: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await files.list(`?recursive=true&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    walked.push(...page.files.map(({ path }) => path))
    cursor = page.nextCursor
  }
  expect(walked.toSorted()).toEqual(paths.toSorted())
  const names: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await files.list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    names.push(...[...page.folders, ...page.files].map(({ path }) => path))
    cursor = page.nextCursor
  }
  expect(names.toSorted()).toEqual(['README.md', 'src', 'src-old', 'zz', 'Überblick.txt'].toSorted())
  expect((await files.list('?recursive=true&folder=src')).files.map(({ path }) => path)).toEqual([
    'src/a.c',
    'src/b.c',
    'src/lib/c.c',
  ])
})

test('[F-15] bytes come whole, in part or not at all, and never as a page', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('page.html', '<script>alert(1)</script>'))
  const whole = await success(await files.ask('GET', '/content?path=page.html'))
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-disposition': 'attachment',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'content-length': '25',
    etag: '"1"',
    'repr-digest': `sha-256=:${createHash('sha256').update('<script>alert(1)</script>').digest('base64')}:`,
  })
  const part = await files.ask('GET', '/content?path=page.html', { headers: { range: 'bytes=1-6' } })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    'script',
    'bytes 1-6/25',
  ])
  const other = await files.ask('GET', '/content?path=page.html', {
    headers: { range: 'bytes=1-6', 'if-range': '"9"' },
  })
  expect(other.status).toBe(200)
  expect(await codeOf(files.ask('GET', '/content?path=page.html', { headers: { range: 'bytes=99-' } }))).toBe(
    '416 range_not_satisfiable',
  )
  expect(
    await codeOf(files.ask('GET', '/content?path=page.html', { headers: { 'if-none-match': '"1"' } })),
  ).toBe('304')
  const head = await files.ask('HEAD', '/content?path=page.html')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '25', ''])
  expect(await codeOf(files.ask('GET', '/content?path=none'))).toBe('404 file_not_found')
  await success(await files.put('empty', ''))
  expect(await files.read('empty')).toBe('')
})

test('[F-16] an archive has the files of a folder as they are, or were', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('src/a.c', 'one'))
  await success(await files.put('src/größe.txt', 'zwei'))
  await success(await files.put('top', 'x'))
  await success(await files.put('src/a.c', 'changed', '"1"'))
  const unzip = async (query: string) => {
    const answer = await success(await files.ask('GET', `/archive${query}`))
    const zip = join(node.folder, 'archive.zip')
    await writeFile(zip, Buffer.from(await answer.arrayBuffer()))
    await run('unzip', ['-tqq', zip])
    const { stdout } = await run('zipinfo', ['-1', zip])
    const text = (name: string) => run('unzip', ['-p', zip, name]).then((found) => found.stdout)
    return { names: stdout.trim().split('\n'), text }
  }
  const now = await unzip('')
  expect(now.names).toEqual(['src/a.c', 'src/größe.txt', 'top'])
  expect(await now.text('src/a.c')).toBe('changed')
  const before = await unzip('?folder=src&revision=3')
  expect(before.names).toEqual(['a.c', 'größe.txt'])
  expect(await before.text('a.c')).toBe('one')
})

test('[F-25] several contents come one after the other, of this workspace alone', async () => {
  await using node = await startContent()
  await node.make('bob/secret')
  const files = node.files('ada/board')
  const hashes = [await files.upload('two'), await files.upload(''), await files.upload('one')]
  const read = (sha256: string[]) => files.ask('POST', '/blobs/read', { json: { sha256 } })
  const answer = await success(await read(hashes))
  expect([await answer.text(), answer.headers.get('content-length')]).toEqual(['twoone', '6'])
  const foreign = await node.files('bob/secret', 'bob').upload('the plan')
  expect(await codeOf(read([...hashes, foreign]))).toBe('409 bytes_missing')
  expect(await codeOf(read([]))).toBe('400 invalid_request')
})
