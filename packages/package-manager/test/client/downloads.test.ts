import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { readResourcesIcons, writeResourcesZip } from '@patchbay/package-archive'
import { expect, test } from 'vitest'
import { installSourceOf, openCatalog } from '../../src/index.ts'
import { PNG } from './png.ts'
import { failureOf, publish, readAll, samplePackage, sampleVersion, sha256, startBench } from './sample.ts'

const ARCHIVE = Buffer.alloc(300_000, 'archive')
const LISTED = { download_sha256: sha256(ARCHIVE), download_size: ARCHIVE.length }

test('[A-324] an archive comes as a stream with its hash, size and progress checked on the way', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE, { 'content-type': 'application/zip' })
  let last = 0
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const download = await bench.open().openDownload(version, { onProgress: ({ bytes }) => (last = bytes) })
  expect(await readAll(download.stream)).toEqual(ARCHIVE)
  expect(last).toBe(ARCHIVE.length)
})

test('[A-324] an archive of this disk comes the same way', async () => {
  await using bench = await startBench()
  await writeFile(join(bench.folder, 'a.zip'), ARCHIVE)
  const folder = pathToFileURL(`${bench.folder}/`).href
  const client = bench.open({ url: `${folder}repository.json` })
  const version = sampleVersion({ download_url: `${folder}a.zip`, ...LISTED })
  expect(await readAll((await client.openDownload(version)).stream)).toEqual(ARCHIVE)
  const other = { ...version, download_sha256: sha256('other') }
  const failure = await failureOf(client.openDownload(other).then(({ stream }) => readAll(stream)))
  expect(failure).toMatchObject({ code: 'hash_mismatch' })
})

test.each([
  ['a changed byte', 'hash_mismatch', Buffer.from(ARCHIVE).fill('x', 5, 6), {}],
  ['fewer bytes', 'size_mismatch', ARCHIVE.subarray(1), {}],
  ['more bytes', 'size_mismatch', Buffer.concat([ARCHIVE, ARCHIVE]), {}],
  [
    'more bytes of no announced number',
    'size_mismatch',
    Buffer.concat([ARCHIVE, ARCHIVE]),
    { chunked: true },
  ],
  ['fewer bytes of no announced number', 'size_mismatch', ARCHIVE.subarray(1), { chunked: true }],
])('[A-324] %s end the stream with %s', async (_what, code, bytes, { chunked }: { chunked?: boolean }) => {
  await using bench = await startBench()
  bench.server.handlers.set('/a.zip', (_request, response) => {
    response.writeHead(200, chunked === true ? {} : { 'content-length': bytes.length }).end(bytes)
  })
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const failure = await failureOf(
    bench
      .open()
      .openDownload(version)
      .then(({ stream }) => readAll(stream)),
  )
  expect(failure).toMatchObject({ code })
})

test('[A-324] a page in place of the archive, a limit, an abort and a reader that leaves end it too', async () => {
  await using bench = await startBench()
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  bench.server.serve('/a.zip', 'sign in first', { 'content-type': 'text/html' })
  expect(await failureOf(bench.open().openDownload(version))).toMatchObject({ code: 'wrong_content' })
  bench.server.serve('/a.zip', ARCHIVE)
  const small = bench.open({}, { limits: { archiveBytes: 1_000 } })
  expect(await failureOf(small.openDownload(version))).toMatchObject({ code: 'too_large' })
  const controller = new AbortController()
  const { stream } = await bench.open().openDownload(version, { signal: controller.signal })
  controller.abort(new Error('enough'))
  expect((await failureOf(readAll(stream))).message).toBe('enough')
  const closed = Promise.withResolvers<void>()
  bench.server.handlers.set('/a.zip', (_request, response) => {
    response.on('close', closed.resolve)
    response.writeHead(200, { 'content-length': ARCHIVE.length }).write(ARCHIVE.subarray(0, 1_000))
  })
  for await (const _chunk of (await bench.open().openDownload(version)).stream) break
  await closed.promise
})

test('[A-325] an archive without a hash is refused unless that is allowed, and one without address always', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE)
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip` })
  expect(await failureOf(bench.open().openDownload(version))).toMatchObject({ code: 'no_hash' })
  const { stream } = await bench.open().openDownload(version, { allowUnhashed: true })
  expect(await readAll(stream)).toEqual(ARCHIVE)
  expect(await failureOf(bench.open().openDownload(sampleVersion()))).toMatchObject({ code: 'no_download' })
})

test('[A-323] icons come from resources.zip, when they are asked for, and once', async () => {
  await using bench = await startBench()
  const path = join(bench.folder, 'resources.zip')
  await writeResourcesZip([{ identifier: 'com.example.blinky', icon: PNG }], path)
  const zip = await readFile(path)
  const resources = { url: `${bench.server.origin}/resources.zip`, sha256: sha256(zip), update_timestamp: 1 }
  publish(bench.server, [samplePackage('com.example.blinky')], { extra: { resources } })
  bench.server.serve('/resources.zip', zip)
  const client = bench.open()
  await client.refresh()
  expect(bench.server.seen('/resources.zip')).toEqual([])
  const icons = await client.readIcons()
  expect(Buffer.from(icons.get('com.example.blinky') ?? [])).toEqual(Buffer.from(PNG))
  expect((await bench.open().readIcons()).size).toBe(1)
  expect(bench.server.seen('/resources.zip')).toHaveLength(1)
  expect((await readResourcesIcons(path)).size).toBe(1)
})

test('[A-323] resources with another hash, or that are no zip, give no icons but a reason', async () => {
  await using bench = await startBench()
  const resources = {
    url: `${bench.server.origin}/resources.zip`,
    sha256: sha256('good'),
    update_timestamp: 1,
  }
  publish(bench.server, [], { extra: { resources } })
  bench.server.serve('/resources.zip', 'bad')
  await bench.open().refresh()
  expect(await failureOf(bench.open().readIcons())).toMatchObject({ code: 'hash_mismatch' })
  bench.server.serve('/resources.zip', 'good')
  expect(await failureOf(bench.open().readIcons())).toMatchObject({ code: 'malformed' })
})

test('[A-323] a repository without resources has no icons', async () => {
  await using bench = await startBench()
  expect((await bench.open().readIcons()).size).toBe(0)
  publish(bench.server, [])
  await bench.open().refresh()
  expect((await bench.open().readIcons()).size).toBe(0)
})

test('[A-347] a catalog is a source to install from', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE)
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  publish(bench.server, [samplePackage('com.example.blinky', { versions: [version] })])
  const source = installSourceOf(await openCatalog([bench.open()]).refresh())
  const offer = await source.find('com.example.blinky')
  expect(offer?.repository).toBe('Sample')
  const download = await offer?.open(version, {})
  expect(download?.size).toBe(ARCHIVE.length)
  expect(await readAll(download?.stream ?? emptyStream())).toEqual(ARCHIVE)
  expect(await source.find('com.example.other')).toBeUndefined()
  const unhashed = sampleVersion({ download_url: `${bench.server.origin}/a.zip` })
  expect(await failureOf(offer?.open(unhashed, {}) ?? Promise.resolve())).toMatchObject({ code: 'no_hash' })
  const allowed = await offer?.open(unhashed, { allowUnverified: true })
  expect(await readAll(allowed?.stream ?? emptyStream())).toEqual(ARCHIVE)
})

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

test('[A-309] a reader who takes his time is not taken for a silent server', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', ARCHIVE)
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const client = bench.open({}, { limits: { idleMs: 100 } })
  let bytes = 0
  for await (const chunk of (await client.openDownload(version)).stream) {
    if (bytes === 0) await sleep(300)
    bytes += chunk.length
  }
  expect(bytes).toBe(ARCHIVE.length)
})

/** Breaks off after `pieces` of a request; `answers` decides how the rest is given. */
function serveInPieces(
  bench: Awaited<ReturnType<typeof startBench>>,
  how: 'ranges' | 'anew' | 'replaced' | 'weak',
) {
  let count = 0
  bench.server.handlers.set('/a.zip', (request, response) => {
    count += 1
    const body = how === 'replaced' && count > 1 ? Buffer.alloc(ARCHIVE.length, 'x') : ARCHIVE
    const etag = how === 'weak' ? 'W/"one"' : how === 'replaced' && count > 1 ? '"two"' : '"one"'
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const start = how === 'ranges' && request.headers['if-range'] === etag ? Number(from ?? 0) : 0
    const length = body.length - start
    const range = { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }
    response.writeHead(start === 0 ? 200 : 206, {
      etag,
      'content-length': length,
      ...(start === 0 ? {} : range),
    })
    if (count >= 4) response.end(body.subarray(start))
    else response.write(body.subarray(start, start + 70_000), () => response.destroy())
  })
}

test.each([
  ['a server that gives the rest', 'ranges', 'whole', 4],
  ['a server that begins anew', 'anew', 'whole', 4],
  ['a server that has other bytes by now', 'replaced', 'hash_mismatch', 4],
  ['a server whose tag is weak', 'weak', 'interrupted', 1],
] as const)('[A-552] R12: %s, after a download broke off: %s', async (_what, how, outcome, requests) => {
  await using bench = await startBench()
  serveInPieces(bench, how)
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const ended = await bench
    .open()
    .openDownload(version)
    .then(({ stream }) => readAll(stream))
    .then(
      (bytes) => (bytes.equals(ARCHIVE) ? 'whole' : 'other bytes'),
      (error: { code?: string }) => error.code,
    )
  expect(ended).toBe(outcome)
  const seen = bench.server
    .seen('/a.zip')
    .map(({ headers }) => [headers.range ?? '', headers['if-range'] ?? ''])
  expect(seen).toHaveLength(requests)
  for (const [range, condition] of seen.slice(1)) {
    expect(range).toMatch(/^bytes=[1-9]\d*-$/)
    expect(condition).toMatch(/^"(?:one|two)"$/)
  }
})

test('[A-552] R12: a download that breaks off forever ends', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/a.zip', (_request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': ARCHIVE.length })
    response.write(ARCHIVE.subarray(0, 10), () => response.destroy())
  })
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip`, ...LISTED })
  const client = bench.open({}, { limits: { continuations: 2 } })
  const failure = await failureOf(client.openDownload(version).then(({ stream }) => readAll(stream)))
  expect(failure).toMatchObject({ code: 'interrupted' })
  expect(bench.server.seen('/a.zip')).toHaveLength(3)
})
