import { randomUUID } from 'node:crypto'
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RepositoryCache } from '../../src/client/cache.ts'
import { failureOf, publish, samplePackage, sha256, startBench } from './sample.ts'

async function cacheOf(folder: string): Promise<string> {
  const [name = ''] = await readdir(join(folder, 'cache'))
  return join(folder, 'cache', name)
}

test('[A-318] a server that cannot be reached is answered for by the cache, and that is said', async () => {
  await using bench = await startBench()
  let now = Date.UTC(2026, 0, 1)
  publish(bench.server, [samplePackage('com.example.blinky')])
  await bench.open({}, { now: () => now }).refresh()
  now += 3_600_000
  const { origin } = bench.server
  const client = bench.open({ url: `${origin}/repository.json` }, { now: () => now })
  bench.server.handlers.set('/repository.json', (request) => void request.socket.destroy())
  const snapshot = await client.refresh()
  expect(snapshot).toMatchObject({ fromCache: true, fetchedAt: new Date(Date.UTC(2026, 0, 1)) })
  expect(snapshot.failure).toMatchObject({ code: 'unreachable' })
  expect(snapshot.packages).toHaveLength(1)
})

test('[A-318] a list that cannot be had leaves the whole old state, not half of the new one', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.old')])
  await bench.open().refresh()
  publish(bench.server, [samplePackage('com.example.new')], { timestamp: 1_750_000_000 })
  bench.server.handlers.set('/packages.json', (_request, response) => void response.writeHead(503).end())
  const snapshot = await bench.open().refresh()
  expect(snapshot).toMatchObject({ fromCache: true, updateTimestamp: 1_700_000_000 })
  expect(snapshot.packages.map(({ identifier }) => identifier)).toEqual(['com.example.old'])
})

test('[A-318] without a cache, silence is a failure', async () => {
  await using bench = await startBench()
  bench.server.handlers.set('/repository.json', (request) => void request.socket.destroy())
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'unreachable' })
  expect(await bench.open().readCached()).toBeUndefined()
})

test('[A-319] what a server says is not passed over in favor of the cache', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  await bench.open().refresh()
  bench.server.handlers.set('/repository.json', (_request, response) => void response.writeHead(401).end())
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'unauthorized' })
  publish(bench.server, [], { sha256: sha256('other'), timestamp: 1_750_000_000 })
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'hash_mismatch' })
  const cached = await bench.open().readCached()
  expect(cached?.packages).toHaveLength(1)
})

test('[A-320] a list that is older than the cached one is refused', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.fixed')], { timestamp: 1_750_000_000 })
  await bench.open().refresh()
  publish(bench.server, [samplePackage('com.example.vulnerable')], { timestamp: 1_700_000_000 })
  const failure = await failureOf(bench.open().refresh())
  expect(failure).toMatchObject({ code: 'older_than_cached' })
  expect(failure.message).toContain('2025-06-15')
})

test('[A-320] an older list is taken when that is asked for, and is then the cached one', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.fixed')], { timestamp: 1_750_000_000 })
  await bench.open().refresh()
  publish(bench.server, [samplePackage('com.example.vulnerable')], { timestamp: 1_700_000_000 })
  await bench.open().refresh({ allowOlder: true })
  expect((await bench.open().readCached())?.updateTimestamp).toBe(1_700_000_000)
  expect((await bench.open().refresh()).packages).toHaveLength(1)
})

test('[A-320] a damaged cache still knows how new the list was', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.fixed')], { timestamp: 1_750_000_000 })
  await bench.open().refresh()
  const blobs = join(await cacheOf(bench.folder), 'blobs')
  for (const name of await readdir(blobs)) await writeFile(join(blobs, name), 'damaged')
  publish(bench.server, [samplePackage('com.example.vulnerable')], { timestamp: 1_700_000_000 })
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'older_than_cached' })
})

test('[A-322] a damaged cache is no cache: nothing is asked conditionally, and everything is whole again', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  await bench.open().refresh()
  const folder = await cacheOf(bench.folder)
  for (const kind of ['blobs', 'states']) {
    for (const name of await readdir(join(folder, kind))) await writeFile(join(folder, kind, name), '{"x":1}')
    bench.server.requests.length = 0
    expect(await bench.open().readCached()).toBeUndefined()
    expect((await bench.open().refresh()).packages).toHaveLength(1)
    expect(bench.server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
    ])
    expect((await bench.open().readCached())?.packages).toHaveLength(1)
  }
})

test('[A-322] cached lists are for this user alone, and old ones are removed', async () => {
  await using bench = await startBench()
  const hour = 3_600_000
  for (const round of [1, 2, 3]) {
    publish(bench.server, [samplePackage(`com.example.v${round}`)], { timestamp: round })
    await bench.open({}, { now: () => Date.now() + round * hour }).refresh()
  }
  const folder = await cacheOf(bench.folder)
  expect(await readdir(join(folder, 'states'))).toHaveLength(1)
  const blobs = await readdir(join(folder, 'blobs'))
  expect(blobs).toHaveLength(2)
  const modes = await Promise.all(
    blobs.map(async (name) => (await stat(join(folder, 'blobs', name))).mode & 0o777),
  )
  expect(new Set(modes)).toEqual(new Set([0o600]))
})

test('[A-322] a cache that cannot be written is an error of the disk, and leaves no half files', async () => {
  await using bench = await startBench()
  const path = join(bench.folder, 'cache')
  await writeFile(path, 'a file where the folder should be')
  publish(bench.server, [])
  expect(await failureOf(bench.open().refresh())).toMatchObject({
    code: expect.stringMatching(/ENOTDIR|EEXIST/),
  })
  expect(await readFile(path, 'utf8')).toBe('a file where the folder should be')
  await chmod(path, 0o600)
})

test('[A-321] of two states written at once the newer one counts, whoever was last', async () => {
  await using bench = await startBench()
  const url = new URL(`${bench.server.origin}/repository.json`)
  const cache = new RepositoryCache(join(bench.folder, 'cache'), url, false, () => Date.now())
  const file = (text: string) => ({ url: url.href, sha256: sha256(text), validators: {} })
  const save = (timestamp: number) =>
    cache.save(
      {
        order: timestamp,
        fetchedAt: 1,
        repository: file(`r${timestamp}`),
        packages: file(`p${timestamp}`),
      },
      [`r${timestamp}`, `p${timestamp}`].map((text) => Buffer.from(text)),
    )
  await Promise.all([save(7), save(5), save(6)])
  await save(5)
  expect((await cache.load())?.state.order).toBe(7)
})

test('[A-322] what a process that died left half written is removed when it is old', async () => {
  await using bench = await startBench()
  publish(bench.server, [samplePackage('com.example.blinky')])
  await bench.open().refresh()
  const folder = await cacheOf(bench.folder)
  const part = `x.json.${randomUUID()}.part`
  const places = ['states', 'blobs', ''].map((each) => join(folder, each))
  for (const place of places) await writeFile(join(place, part), 'half')
  publish(bench.server, [samplePackage('com.example.other')], { timestamp: 1_700_000_001 })
  await bench.open().refresh()
  expect(await readdir(join(folder, 'states'))).toContain(part)
  for (const place of places) await utimes(join(place, part), 1, 1)
  publish(bench.server, [samplePackage('com.example.third')], { timestamp: 1_700_000_002 })
  await bench.open().refresh()
  for (const place of places) expect(await readdir(place)).not.toContain(part)
})

test.each([Number.MAX_SAFE_INTEGER, 32_503_680_000])(
  '[A-320] a list from the future, %d, is refused and blocks none that follows',
  async (timestamp) => {
    await using bench = await startBench()
    publish(bench.server, [], { timestamp })
    const failure = await failureOf(bench.open().refresh())
    expect(failure).toMatchObject({ name: 'RepositoryFailure', code: 'malformed' })
    expect(failure.message).toContain('not yet')
    publish(bench.server, [samplePackage('com.example.blinky')])
    expect((await bench.open().refresh()).packages).toHaveLength(1)
  },
)

test('[A-320] a clock that is a few hours off is no reason to refuse', async () => {
  await using bench = await startBench()
  publish(bench.server, [], { timestamp: Math.floor(Date.now() / 1000) + 80_000 })
  expect((await bench.open().refresh()).fromCache).toBe(false)
})

test('[A-320] a cache that knows of an impossible moment is told in words', async () => {
  await using bench = await startBench()
  publish(bench.server, [])
  await bench.open().refresh()
  const states = join(await cacheOf(bench.folder), 'states')
  const [state = ''] = await readdir(states)
  await writeFile(join(states, state.replace(/^\d{16}/, '9007199254740991')), '{}')
  expect(await failureOf(bench.open().refresh())).toMatchObject({ code: 'older_than_cached' })
})
