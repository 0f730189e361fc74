import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { failureOf, publish, samplePackage, sampleVersion, sha256, startBench } from './sample.ts'

test('[A-300] a refresh reads the index and the list that it names, in the neutral dialect', async () => {
  await using bench = await startBench()
  const { tool_version: _, ...version } = sampleVersion({ kicad_version: '8.0' })
  publish(bench.server, [samplePackage('com.example.blinky', { versions: [version] })])
  const snapshot = await bench.open({ brand: 'kicad' }).refresh()
  expect(snapshot).toMatchObject({
    name: 'Sample',
    fromCache: false,
    quarantined: [],
    updateTimestamp: 1_700_000_000,
  })
  expect(snapshot.packages.map((each) => each.versions[0]?.tool_version)).toEqual(['8.0'])
})

test('[A-506] R4: of a version with both spellings, that of the brand counts', async () => {
  await using bench = await startBench()
  const version = sampleVersion({ kicad_version: '8.0', tool_version: '9.0', tool_version_max: '9.0' })
  publish(bench.server, [samplePackage('com.example.blinky', { versions: [version] })])
  const [branded] = (await bench.open({ brand: 'kicad' }).refresh()).packages
  expect(branded?.versions[0]?.tool_version).toBe('8.0')
  expect(branded?.versions[0]).not.toHaveProperty('tool_version_max')
  const [neutral] = (await bench.open().refresh()).packages
  expect(neutral?.versions[0]).toMatchObject({ tool_version: '9.0', kicad_version: '8.0' })
})

test('[A-300] a repository of this disk is read by its file URL', async () => {
  await using bench = await startBench()
  const list = JSON.stringify({ packages: [samplePackage('com.example.blinky')] })
  const folder = join(bench.folder, 'a repository')
  await mkdir(folder)
  await writeFile(join(folder, 'packages.json'), list)
  const packages = {
    url: pathToFileURL(join(folder, 'packages.json')).href,
    sha256: sha256(list),
    update_timestamp: 1,
  }
  await writeFile(join(folder, 'repository.json'), JSON.stringify({ name: 'Disk', packages }))
  const url = pathToFileURL(join(folder, 'repository.json')).href
  const snapshot = await bench.open({ url }).refresh()
  expect(snapshot.packages.map(({ identifier }) => identifier)).toEqual(['com.example.blinky'])
  const missing = await failureOf(bench.open({ url: `${url}x` }).refresh())
  expect(missing).toMatchObject({ code: 'not_found' })
})

test('[A-301] what has not changed is not sent again, and a list whose hash is known is not even asked for', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  await bench.open().refresh()
  const again = await bench.open().refresh()
  expect(again.fromCache).toBe(false)
  expect(again.packages).toHaveLength(1)
  const [first, second] = bench.server.seen('/repository.json')
  expect(first?.headers['if-none-match']).toBeUndefined()
  expect(second?.headers['if-none-match']).toMatch(/^"/)
  expect(bench.server.seen('/packages.json')).toHaveLength(1)
})

test('[A-301] a list without a hash is asked for with its validator', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')], { sha256: null })
  await bench.open().refresh()
  const again = await bench.open().refresh()
  expect(again.packages).toHaveLength(1)
  expect(
    bench.server.seen('/packages.json').map(({ headers }) => headers['if-none-match'] !== undefined),
  ).toEqual([false, true])
})

test('[A-302] a list with another hash is refused before it is parsed, after one more try past every cache', async () => {
  await using bench = await startBench()
  publish(bench.server, [], { sha256: sha256('other') })
  bench.server.serve('/packages.json', 'this would not parse')
  const failure = await failureOf(bench.open().refresh())
  expect(failure).toMatchObject({ code: 'hash_mismatch' })
  expect(bench.server.seen('/packages.json').map(({ headers }) => headers['cache-control'])).toEqual([
    undefined,
    'no-cache',
  ])
})

test('[A-302] a hash that fits the file with other line ends is said to', async () => {
  await using bench = await startBench()
  publish(bench.server, [], { sha256: sha256('{\r\n"packages": []\r\n}\r\n') })
  bench.server.serve('/packages.json', '{\n"packages": []\n}\n')
  const failure = await failureOf(bench.open().refresh())
  expect(failure.message).toContain('CRLF')
})

test('[A-315] an index that does not follow the format is refused with what is wrong and where', async () => {
  await using bench = await startBench()
  bench.server.serve(
    '/repository.json',
    '{\n "name": 5,\n "packages": {"url": "x", "update_timestamp": "now"}\n}',
  )
  const failure = await failureOf(bench.open().refresh())
  expect(failure).toMatchObject({ code: 'malformed' })
  expect(failure).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ pointer: '/name' })]),
  })
  bench.server.serve('/repository.json', '{"name": "a",}')
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'malformed' })
  bench.server.serve('/repository.json', '{"packages": []}')
  expect((await failureOf(bench.open().refresh())).message).toContain('not a repository.json')
  bench.server.serve('/repository.json', Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]))
  expect((await failureOf(bench.open().refresh())).message).toContain('UTF-8')
})

test('[A-316] a broken package is set aside with its reasons, and the others are there', async () => {
  await using bench = await startBench()
  const broken = samplePackage('com.example.broken', { license: 'MTI' })
  publish(bench.server, [
    samplePackage('com.example.one'),
    broken,
    'nonsense',
    samplePackage('com.example.two'),
  ])
  const snapshot = await bench.open().refresh()
  expect(snapshot.packages.map(({ identifier }) => identifier)).toEqual([
    'com.example.one',
    'com.example.two',
  ])
  expect(snapshot.quarantined.map(({ identifier }) => identifier)).toEqual(['com.example.broken', undefined])
  expect(snapshot.quarantined[0]?.findings[0]?.message).toContain('MIT')
})

test('[A-316] a repeated key and an address that only existing tools accept cost nobody a package', async () => {
  await using bench = await startBench()
  const versions = [sampleVersion({ download_url: 'javascript:alert(1)//file:///x' })]
  const text = JSON.stringify({ packages: [samplePackage('com.example.blinky', { versions })] })
  const list = text.replace('"license":', '"license":"Zlib","license":')
  publish(bench.server, [], { sha256: sha256(list) })
  bench.server.serve('/packages.json', list)
  const { packages } = await bench.open().refresh()
  expect(packages.map(({ license }) => license)).toEqual(['MIT'])
})

test('[A-317] of two packages with one identifier in a list, the first counts', async () => {
  await using bench = await startBench()
  const [first, second] = ['first', 'second'].map((name) => samplePackage('com.example.blinky', { name }))
  publish(bench.server, [first, { ...second, identifier: 'com.Example.blinky' }])
  const snapshot = await bench.open().refresh()
  expect(snapshot.packages.map(({ name }) => name)).toEqual(['first'])
  expect(snapshot.quarantined).toHaveLength(1)
})

test('[A-331] an aborted refresh ends with the reason of its signal and leaves the cache as it was', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  const controller = new AbortController()
  bench.server.handlers.set('/packages.json', (_request, response) => {
    response.writeHead(200).write('{')
    controller.abort(new Error('enough'))
  })
  const failure = await failureOf(bench.open().refresh({ signal: controller.signal }))
  expect(failure.message).toBe('enough')
  expect(await readdir(bench.folder)).toEqual([])
})

test('[A-331] progress names the file and counts its bytes', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  const steps: string[] = []
  await bench
    .open()
    .refresh({ onProgress: ({ step, bytes, total }) => void steps.push(`${step} ${bytes === total}`) })
  expect(new Set(steps)).toEqual(new Set(['repository true', 'packages true']))
})
