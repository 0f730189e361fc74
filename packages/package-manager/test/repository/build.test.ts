import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readResourcesIcons } from '@patchbay/package-archive'
import { validateText } from '@patchbay/package-format/validate'
import { expect, test } from 'vitest'
import { openRepository } from '../../src/index.ts'
import { RepositoryBuildRefused } from '../../src/repository/index.ts'
import { failureOf, sha256 } from '../client/sample.ts'
import { BASE, openWorkshop, readTree } from './workshop.ts'

async function faultsOf(call: Promise<unknown>) {
  const failure = await failureOf(call)
  if (!(failure instanceof RepositoryBuildRefused)) throw failure
  return failure.faults
}

test('[A-332] archives and folders become a list, icons, manifests and an index, all computed from the bytes', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.blinky', { version: '1.10.0' })
  await shop.addArchive('com.example.blinky', { version: '1.9.0', changes: { name: 'old name' } })
  await shop.addArchive('com.example.another', { icon: false, at: 'below/anything.zip' })
  expect(await shop.build()).toMatchObject({ packages: 2, versions: 3, removed: [] })
  const { packages } = await shop.readList()
  expect(packages.map(({ name, versions }) => [name, versions.map(({ version }) => version)])).toEqual([
    ['com.example.another', ['1.0.0']],
    ['com.example.blinky', ['1.10.0', '1.9.0']],
  ])
  for (const version of packages.flatMap(({ versions }) => versions)) {
    const file = join(shop.out, (version.download_url ?? '').slice(BASE.length))
    const bytes = await readFile(file)
    expect(version).toMatchObject({ download_sha256: sha256(bytes), download_size: bytes.length })
    expect(version.install_size).toBeGreaterThan(7)
  }
  const index = await shop.readIndex()
  for (const [kind, name] of [
    ['packages', 'packages.json'],
    ['resources', 'resources.zip'],
    ['manifests', 'manifests.json'],
  ] as const) {
    expect(index[kind]).toEqual({
      url: `${BASE}${name}`,
      sha256: sha256(await readFile(join(shop.out, name))),
      update_timestamp: 1_700_000_000,
      update_time_utc: '2023-11-14 22:13:20',
    })
  }
  expect([...(await readResourcesIcons(join(shop.out, 'resources.zip'))).keys()]).toEqual([
    'com.example.blinky',
  ])
  const { manifests } = JSON.parse(await readFile(join(shop.out, 'manifests.json'), 'utf8'))
  const { url, sha256: hash } = manifests['com.example.blinky']['1.9.0']
  const manifest = await readFile(join(shop.out, url.slice(BASE.length)))
  expect(sha256(manifest)).toBe(hash)
  expect(JSON.parse(manifest.toString()).files).toContainEqual({
    path: 'plugins/main.py',
    size: 8,
    sha256: sha256('blink()\n'),
  })
  expect((await readdir(shop.out)).toSorted()).toEqual([
    'archives',
    'manifests',
    'manifests.json',
    'packages.json',
    'repository.json',
    'resources.zip',
  ])
})

test('[A-332] a repository without icons names no resources.zip', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.plain', { icon: false })
  await shop.build()
  expect(Object.keys(await shop.readIndex())).toEqual(['name', 'packages', 'manifests'])
})

test('[A-332] what was built is what a client reads', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.blinky')
  await shop.build({ baseUrl: pathToFileURL(shop.out).href })
  const url = pathToFileURL(join(shop.out, 'repository.json')).href
  const client = openRepository({ url }, { cacheFolder: join(shop.root, 'cache') })
  const snapshot = await client.refresh()
  expect(snapshot).toMatchObject({ name: 'Workshop', quarantined: [], findings: [] })
  const [version] = snapshot.packages[0]?.versions ?? []
  if (version === undefined) throw new Error('no version')
  let bytes = 0
  for await (const chunk of (await client.openDownload(version)).stream) bytes += chunk.length
  expect(bytes).toBe(version.download_size)
  expect((await client.readIcons()).size).toBe(1)
})

test('[A-333] the same input makes the same bytes, in another folder and at another time', async () => {
  await using shop = await openWorkshop()
  await using other = await openWorkshop()
  for (const place of [shop, other]) {
    await place.addFolder('com.example.b', { version: '2.0' })
    await place.addFolder('com.example.b', { version: '1.0' })
    await place.addFolder('com.example.a')
  }
  await cp(await shop.addArchive('com.example.c'), join(other.folder, 'com.example.c-1.0.0.zip'))
  await shop.build()
  await other.build({ now: () => 1 })
  expect(await readTree(other.out)).toEqual(await readTree(shop.out))
})

test('[A-334] what has not changed is not written again and keeps its time; what has gets a later one', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.a')
  await shop.build({ timestamp: undefined, now: () => 1_000_000 })
  const before = await readTree(shop.out)
  const { mtimeMs } = await stat(join(shop.out, 'packages.json'))
  const again = await shop.build({ timestamp: undefined, now: () => 9_000_000 })
  expect(again.written).toEqual([])
  expect(await readTree(shop.out)).toEqual(before)
  expect((await stat(join(shop.out, 'packages.json'))).mtimeMs).toBe(mtimeMs)
  await shop.addArchive('com.example.b', { icon: false })
  // A clock that was set back must not make clients refuse the change.
  const more = await shop.build({ timestamp: undefined, now: () => 500_000 })
  expect(more.written.toSorted()).toEqual([
    'archives/com.example.b-1.0.0.zip',
    'manifests.json',
    'manifests/com.example.b-1.0.0.json',
    'packages.json',
    'repository.json',
  ])
  const index = await shop.readIndex()
  expect(index.packages.update_timestamp).toBe(1_001)
  expect(index.resources?.update_timestamp).toBe(1_000)
  await shop.addArchive('com.example.c')
  expect((await failureOf(shop.build({ timestamp: 1_001 }))).message).toContain('not after 1001')
})

test('[A-334] a version that is gone from the folder goes from the list and its archive from the output', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.a')
  const path = await shop.addArchive('com.example.b')
  await shop.build()
  await rm(path)
  const result = await shop.build({ timestamp: 1_700_000_001 })
  expect(result.removed).toEqual(['archives/com.example.b-1.0.0.zip', 'manifests/com.example.b-1.0.0.json'])
  expect((await shop.readList()).packages).toHaveLength(1)
})

test('[A-335] everything that is wrong is told at once, by source, and nothing is written', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.good')
  await writeFile(join(shop.folder, 'broken.zip'), 'no zip')
  const place = await shop.addFolder('com.example.bad', { changes: { license: 'MTI', name: 5 } })
  const faults = await faultsOf(shop.build())
  expect(faults.map(({ source, code }) => [source, code])).toEqual([
    ['broken.zip', 'not_a_zip'],
    ['com.example.bad-1.0.0', 'metadata_invalid'],
  ])
  expect(faults[1]?.findings.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/license', '/name']),
  )
  expect(await readdir(shop.out)).toEqual([])
  await rm(place, { recursive: true })
})

test('[A-336] one version with two contents is refused; the same content twice is one', async () => {
  await using shop = await openWorkshop()
  await cp(await shop.addArchive('com.example.a'), join(shop.folder, 'copy.zip'))
  expect(await shop.build()).toMatchObject({ versions: 1 })
  await shop.addArchive('com.example.a', { content: 'other()\n', at: 'other.zip' })
  expect(await faultsOf(shop.build())).toMatchObject([{ code: 'duplicate_version', source: 'other.zip' }])
  await rm(join(shop.folder, 'other.zip'))
  await shop.addArchive('com.Example.a', { at: 'z.zip' })
  expect(await faultsOf(shop.build())).toMatchObject([{ code: 'case_collision', source: 'z.zip' }])
})

test('[A-336] a version that was published does not change, unless that is allowed', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.build()
  await shop.addFolder('com.example.a', { content: 'other()\n' })
  const later = { timestamp: 1_700_000_001 }
  expect(await faultsOf(shop.build(later))).toMatchObject([{ code: 'replaced_version' }])
  expect((await shop.build({ ...later, allowReplaced: true })).written).toContain(
    'archives/com.example.a-1.0.0.zip',
  )
})

test('[A-337] a list is written in the dialect of its brand', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.a', { brand: 'kicad' })
  await shop.addFolder('com.example.b')
  await shop.build({ brand: 'kicad' })
  const text = await readFile(join(shop.out, 'packages.json'), 'utf8')
  expect(text.match(/"kicad_version"/g)).toHaveLength(2)
  expect(text).not.toContain('tool_version')
  expect(validateText(text, { brand: 'kicad' }).isValid).toBe(true)
})

test('[A-346] hidden files and unfinished work are no sources', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await writeFile(join(shop.folder, '.hidden.zip'), 'no zip')
  expect((await shop.build()).versions).toBe(1)
})

test('[A-346] progress names each source, and an abort leaves nothing behind', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.addFolder('com.example.b')
  const seen: string[] = []
  const controller = new AbortController()
  const call = shop.build({
    signal: controller.signal,
    onProgress: ({ source, done, total }) => {
      seen.push(`${source} ${done}/${total}`)
      controller.abort(new Error('enough'))
    },
  })
  expect((await failureOf(call)).message).toBe('enough')
  expect(seen).toEqual(['com.example.a-1.0.0 0/2'])
  expect(await readdir(shop.out)).toEqual([])
})

test.each(['packages.example', 'ftp://x.example/', 'https://x.example/?a=b'])(
  '[A-346] %s is no address to publish at',
  async (baseUrl) => {
    await using shop = await openWorkshop()
    expect((await failureOf(shop.build({ baseUrl }))).message).toContain('baseUrl')
  },
)
