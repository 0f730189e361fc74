import { randomBytes } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { recordSql } from '@patchbay/testkit/sql'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { findPublicRecords } from '../../src/feeds/sparse.store.ts'
import { archiveOf, ICON } from '../archive.ts'
import { insertPackages, touch } from '../feeds/many-packages.ts'
import { type Asked, pathOf, readFeed, readJson, sha256Of } from '../feeds/reading.ts'
import { type RegistryNode, startRegistry } from '../start.ts'
import { askRaw } from './raw-request.ts'

const FEED = '/registry/feeds/kicad/repository.json'
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

async function startWithPackages(): Promise<RegistryNode> {
  const node = await startRegistry()
  await node.as('ada').publish(archiveOf())
  await node.registry.indexer.settle(20_000)
  return node
}

/** One address of every kind. */
async function everyPath(node: RegistryNode): Promise<string[]> {
  const { repository } = await readFeed(node, FEED)
  const { packages, resources, manifests } = repository
  return [
    FEED,
    '/registry/feeds/tool/ada/repository.json',
    '/registry/sparse/tool/com.example.blinky.json',
    '/registry/schemas/v1.json',
    '/registry/schemas/v1/package.json?brand=kicad',
    `/registry/icons/${sha256Of(ICON)}.png`,
    `/registry/archives/${sha256Of(archiveOf())}/com.example.blinky-1.0.0.zip`,
    `/registry/manifests/${sha256Of(archiveOf())}.json`,
    ...[packages, resources, manifests].map((resource) => pathOf(resource?.url ?? 'http://none')),
  ]
}

deepTest(
  '[A-420] every file answers 304 to whoever has it, in any coding, and HEAD says the same',
  async () => {
    await using node = await startWithPackages()
    for (const path of await everyPath(node)) {
      const url = node.url + path
      const whole = await askRaw(url, { 'accept-encoding': 'br' })
      const etag = String(whole.headers['etag'])
      expect([path, whole.status]).toEqual([path, 200])
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const again = await askRaw(url, { 'accept-encoding': 'br', 'if-none-match': tag }, method)
          expect([path, again.status, again.body.byteLength]).toEqual([path, 304, 0])
          for (const name of ['etag', 'cache-control', 'vary'])
            expect([path, name, again.headers[name]]).toEqual([path, name, whole.headers[name]])
          expect(again.headers['content-length']).toBeUndefined()
        }
      }
      const other = await askRaw(url, { 'accept-encoding': 'gzip', 'if-none-match': etag })
      expect(other.status).toBe(304)
      const head = await askRaw(url, { 'accept-encoding': 'br' }, 'HEAD')
      expect([head.status, head.body.byteLength]).toEqual([200, 0])
      expect(head.headers['content-length']).toBe(String(whole.body.byteLength))
      expect((await askRaw(url, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  },
)

deepTest(
  '[A-421] lists, sparse files and repositories come in the coding that the client likes best',
  async () => {
    await using node = await startWithPackages()
    const paths = (await everyPath(node)).filter(
      (path) => path.includes('.json') && !path.includes('/manifests/'),
    )
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) {
      const plain = await askRaw(node.url + path)
      expect(plain.headers['content-encoding']).toBeUndefined()
      for (const encoding of ['br', 'gzip', 'zstd'] as const) {
        const answer = await askRaw(node.url + path, { 'accept-encoding': encoding })
        expect([path, answer.headers['content-encoding']]).toEqual([path, encoding])
        expect(answer.headers['vary']).toBe('accept-encoding')
        expect(answer.headers['etag']).not.toBe(plain.headers['etag'])
        expect(DECODE[encoding](answer.body)).toEqual(plain.body)
      }
    }
  },
)

test('[A-422] R7: lists are kept for a year by their content, what can be taken down for 3 s by shared caches, and the rest is asked for again', async () => {
  await using node = await startWithPackages()
  const ada = node.as('ada')
  const isImmutable = /files/
  const isRemovable = /archives|icons|\/manifests/
  for (const path of await everyPath(node)) {
    const { headers } = await node.ask(path)
    const expected = isImmutable.test(path)
      ? 'public, max-age=31536000, immutable'
      : isRemovable.test(path)
        ? 'public, max-age=3600, s-maxage=3, must-revalidate'
        : 'public, max-age=0, must-revalidate'
    expect([path, headers.get('cache-control')]).toEqual([path, expected])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const own = await ada.ask('/registry/feeds/tool/ada/private/repository.json')
  expect(own.headers.get('cache-control')).toBe('private, no-cache')
  const missing = await node.ask('/registry/feeds/other/repository.json')
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
})

test('[A-423] a hot feed is served without asking the database, and a new one at once', async () => {
  await using node = await startRegistry()
  await insertPackages(node.db, { owners: 1, perOwner: 3, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', new Date())
  await node.registry.indexer.settle(20_000)
  const { repository } = await readFeed(node, FEED)
  const list = pathOf(repository.packages.url)
  await sql`alter table feed_files rename to away`.execute(node.db)
  expect((await node.ask(list)).status).toBe(200)
  await sql`alter table away rename to feed_files`.execute(node.db)

  for (let round = 1; round <= 3; round += 1) {
    await touch(node.db, 'o1', `com.o1.p${round}`, new Date())
    expect(await node.registry.indexer.settle(20_000)).toBe(true)
    const { metadata } = await node.db
      .selectFrom('packages')
      .select('metadata')
      .where('identifier', '=', `com.o1.p${round}`)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify((await readFeed(node, FEED)).packages)).toContain(metadata['description'])
  }
})

test('[A-424] C7: the longest name that can be published is listed and downloaded', async () => {
  await using node = await startRegistry()
  const identifier = `com.${'a'.repeat(96)}`
  const version = '9999.9999.999999'
  const archive = archiveOf({ identifier, version })
  const published = await node.as('ada').publish(archive)
  expect(published.status).toBe(201)
  const { download_url } = (await published.json()) as { download_url: string }
  const file = new URL(download_url).pathname
  expect(file).toMatch(new RegExp(`/${identifier}-${version}[.]zip$`))
  expect(await node.registry.indexer.settle(30_000)).toBe(true)
  expect(await (await node.ask(`/registry/packages/${identifier}`)).json()).toMatchObject({ identifier })
  expect((await node.ask(`/registry/sparse/tool/${identifier}.json`)).status).toBe(200)
  const answer = await node.ask(file)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(archive))
})

deepTest('[A-424] an archive has one name, a length, and is no page', async () => {
  await using node = await startWithPackages()
  const archive = archiveOf()
  const folder = `/registry/archives/${sha256Of(archive)}`
  const answer = await node.ask(`${folder}/com.example.blinky-1.0.0.zip`)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(archive))
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(archive.byteLength),
    'content-disposition': 'attachment; filename="com.example.blinky-1.0.0.zip"',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  })
  expect((await node.ask(`${folder}/other-1.0.0.zip`)).status).toBe(404)
  expect((await node.ask(`/registry/archives/${'0'.repeat(64)}/com.example.blinky-1.0.0.zip`)).status).toBe(
    404,
  )
})

test('[A-558] R11: a small archive that is asked for often comes from memory, and its row is asked for anew', async () => {
  await using node = await startWithPackages()
  const archive = Buffer.from(archiveOf())
  const sha256 = sha256Of(archive)
  const path = `/registry/archives/${sha256}/com.example.blinky-1.0.0.zip`
  const read = async () => Buffer.from(await (await node.ask(path)).arrayBuffer())
  expect(await read()).toEqual(archive)
  await node.deps.objects.delete(sha256)
  expect(await read()).toEqual(archive)
  const other = '0'.repeat(64)
  await node.db
    .updateTable('package_versions')
    .set({ archive_sha256: other })
    .where('archive_sha256', '=', sha256)
    .execute()
  await expect.poll(async () => (await node.ask(path)).status, { timeout: 20_000 }).toBe(404)
})

test('[A-559] R11: a large archive is hashed while it is sent, and for a while not again', async () => {
  await using node = await startRegistry()
  const archive = Buffer.from(archiveOf({ code: randomBytes(2_500_000).toString('base64') }))
  expect((await node.as('ada').publish(archive)).status).toBe(201)
  const sha256 = sha256Of(archive)
  const url = `${node.url}/registry/archives/${sha256}/com.example.blinky-1.0.0.zip`
  const file = join(node.folder, 'objects', node.deps.objects.pathOf(sha256))
  const damaged = Buffer.concat([archive.subarray(0, -1), Buffer.from('x')])

  await writeFile(file, damaged)
  await expect(askRaw(url)).rejects.toThrow('aborted')
  await writeFile(file, archive)
  const first = await askRaw(url)
  expect(first.body.equals(archive)).toBe(true)
  await writeFile(file, damaged)
  const second = await askRaw(url)
  expect(second.body.equals(damaged)).toBe(true)
  const { date: _date, 'x-request-id': _id, ...headers } = first.headers
  expect(second.headers).toMatchObject(headers)
  expect(second.headers['content-length']).toBe(`${archive.byteLength}`)
  // What was cut since then does not pass for whole.
  await truncate(file, archive.byteLength - 10)
  await expect(askRaw(url)).rejects.toThrow('aborted')
})

test('[A-551] R12: an archive comes in the part that was asked for, and whole wherever that is not sure', async () => {
  await using node = await startWithPackages()
  const archive = Buffer.from(archiveOf())
  const url = `${node.url}/registry/archives/${sha256Of(archive)}/com.example.blinky-1.0.0.zip`
  const size = archive.byteLength
  const tag = `"${sha256Of(archive)}"`
  const rows: readonly (readonly [string, number, number, number, string?])[] = [
    ['bytes=0-0', 206, 0, 1],
    ['bytes=10-', 206, 10, size],
    ['bytes=10-19', 206, 10, 20],
    [`bytes=10-${size * 2}`, 206, 10, size],
    ['bytes=-5', 206, size - 5, size],
    [`bytes=-${size * 2}`, 206, 0, size],
    ['bytes=10-', 206, 10, size, tag],
    ['bytes=10-', 200, 0, size, '"other"'],
    ['bytes=10-', 200, 0, size, `W/${tag}`],
    ['bytes=10-', 200, 0, size, new Date().toUTCString()],
    ['bytes=0-1,5-6', 200, 0, size],
    ['bytes=9-3', 200, 0, size],
    ['lines=1-2', 200, 0, size],
    ['bytes=x', 200, 0, size],
  ]
  for (const [range, status, start, end, condition] of rows) {
    const headers = { range, ...(condition === undefined ? {} : { 'if-range': condition }) }
    const answer = await askRaw(url, headers)
    expect([range, condition, answer.status]).toEqual([range, condition, status])
    expect(answer.body.equals(archive.subarray(start, end))).toBe(true)
    expect(answer.headers).toMatchObject({ etag: tag, 'content-length': `${end - start}` })
    expect(answer.headers['content-range']).toBe(
      status === 206 ? `bytes ${start}-${end - 1}/${size}` : undefined,
    )
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const none = await askRaw(url, { range })
    expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${size}`])
  }
  expect((await askRaw(url, { range: 'bytes=0-1', 'if-none-match': tag })).status).toBe(304)
  const head = await askRaw(url, { range: 'bytes=0-1' }, 'HEAD')
  expect([head.status, head.headers['content-length']]).toEqual([200, `${size}`])
})

test('[A-425] what is private does not exist for others', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  node.access.grant('bob', 'ada', 'read')
  const archive = archiveOf({ identifier: 'com.example.secret' })
  await ada.publish(archive, { visibility: 'private' })
  await node.registry.indexer.settle(20_000)
  const feed = '/registry/feeds/tool/ada/private/repository.json'
  const { repository } = await readFeed(ada, feed)
  const list = pathOf(repository.packages.url)
  const paths = [
    feed,
    list,
    `/registry/archives/${sha256Of(archive)}/com.example.secret-1.0.0.zip`,
    `/registry/manifests/${sha256Of(archive)}.json`,
  ]
  const statuses = async (at: Asked) => Promise.all(paths.map(async (path) => (await at.ask(path)).status))
  expect(await statuses(ada)).toEqual([200, 200, 200, 200])
  expect(await statuses(node.as('bob'))).toEqual([200, 200, 200, 200])
  expect(await statuses(node)).toEqual([404, 404, 404, 404])
  expect(await statuses(node.as('eve'))).toEqual([404, 404, 404, 404])
  // Its files are private too, and do not hang on another address.
  expect((await node.ask(list.replace('private-files/ada', 'files'))).status).toBe(404)
  expect((await ada.ask(paths[2] ?? '')).headers.get('cache-control')).toBe('private, no-cache')
})

deepTest('[A-426] only what a package has as its icon is served as a picture', async () => {
  await using node = await startWithPackages()
  const icon = await node.ask(`/registry/icons/${sha256Of(ICON)}.png`)
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await icon.arrayBuffer())).toEqual(ICON)
  expect((await node.ask(`/registry/icons/${sha256Of(archiveOf())}.png`)).status).toBe(404)
})

test('[A-427] a sparse file is the entry of the list on its own, and many are read with one query', async () => {
  await using node = await startWithPackages()
  const { packages } = await readFeed(node, FEED)
  const text = await recordSql(node.db, (db) => findPublicRecords(db, ['com.example.a', 'com.example.b']))
  expect(text.match(/;\n/g)).toHaveLength(1)
  await expect(text).toMatchFileSnapshot('snapshots/find-public-records.sql')
  expect(await readJson(node, '/registry/sparse/kicad/com.example.blinky.json')).toEqual(packages.packages[0])
  expect((await node.ask('/registry/sparse/other/com.example.blinky.json')).status).toBe(404)
  const unknown = await node.ask('/registry/sparse/kicad/com.example.none.json')
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'package_not_found' }])
})
