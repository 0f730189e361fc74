import { randomBytes } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { INSTALLED_ONE, ONE, openShop } from './blinky.ts'
import { BLINKY, listFiles, startInstallation } from './installation.ts'
import { Shop } from './shop.ts'

deepTest('[A-350] an archive of several pieces arrives whole, in whatever chunks it comes', async () => {
  const shop = new Shop()
  const picture = randomBytes(2_500_000)
  shop.add(BLINKY, '1.0.0', { 'resources/picture.bin': picture })
  for (const size of [777, 65_536, 2 ** 20, 4_000_000]) {
    shop.deliver = async function* (archive) {
      for (let at = 0; at < archive.length; at += size) yield archive.subarray(at, at + size)
    }
    await using installation = await startInstallation(shop)
    const manager = await installation.open()
    await manager.install(BLINKY)
    expect(await manager.check()).toMatchObject([{ isWhole: true }])
  }
})

test('[A-350] a chunk that its source reuses does not spoil the archive', async () => {
  const shop = openShop()
  const buffer = Buffer.alloc(64)
  shop.deliver = async function* (archive) {
    for (let at = 0; at < archive.length; at += 64) {
      const length = archive.copy(buffer, 0, at, at + 64)
      yield buffer.subarray(0, length)
    }
  }
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
})

test.each([
  ['hash_mismatch', { download_sha256: '0'.repeat(64) }],
  ['size_mismatch', { download_size: 100_000 }],
  ['size_mismatch', { download_size: 10 }],
])('[A-350] an archive with a %s is refused and leaves nothing behind', async (code, version) => {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, { version })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({ name: 'InstallFailure', code })
  expect(await listFiles(installation.root, '')).toEqual(['.patchbay/installed.json'])
})

test('[A-351] a version without a hash is refused before the download, unless the caller allows it', async () => {
  const shop = new Shop()
  const { download_sha256: _, ...unhashed } = shop.add(BLINKY, '1.0.0', ONE)
  const known = shop.packages.get(BLINKY)
  if (known !== undefined) shop.packages.set(BLINKY, { ...known, versions: [unhashed] })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({ code: 'hash_missing' })
  expect(shop.opened).toEqual([])
  const change = await manager.install(BLINKY, { allowUnverified: true })
  expect(change.warnings).toEqual([expect.stringContaining('not verified')])
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
})

test('[A-352] an endless download ends with the first byte too many', async () => {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, { version: { download_size: 5_000 } })
  shop.add(BLINKY, '2.0.0', ONE)
  const known = shop.packages.get(BLINKY)
  const [first, second] = known?.versions ?? []
  if (known === undefined || first === undefined || second === undefined) throw new Error('nothing offered')
  const { download_size: _, ...unsized } = second
  shop.packages.set(BLINKY, { ...known, versions: [first, unsized] })
  let sent = 0
  shop.deliver = async function* () {
    for (;;) {
      sent += 1_000
      yield Buffer.alloc(1_000)
    }
  }
  await using installation = await startInstallation(shop)
  const manager = await installation.open({ limits: { maxArchiveBytes: 20_000 } })
  await expect(manager.install(BLINKY, { version: '1.0.0' })).rejects.toMatchObject({ code: 'size_mismatch' })
  expect(sent).toBe(6_000)
  sent = 0
  await expect(manager.install(BLINKY, { version: '2.0.0' })).rejects.toMatchObject({ code: 'too_large' })
  expect(sent).toBe(21_000)
})

test('[A-353] progress grows to the total', async () => {
  const shop = new Shop()
  const { download_size: size } = shop.add(BLINKY, '1.0.0', { 'resources/noise.bin': randomBytes(5_000) })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  const seen: { phase: string; bytes: number; total?: number }[] = []
  await manager.install(BLINKY, { onProgress: (progress) => seen.push(progress) })
  const downloads = seen.filter(({ phase }) => phase === 'download')
  expect(downloads.length).toBeGreaterThan(3)
  expect(downloads.at(0)).toMatchObject({ bytes: 1_000, total: size })
  expect(downloads.at(-1)).toMatchObject({ bytes: size, total: size })
  const extracted = seen.filter(({ phase }) => phase === 'extract').at(-1)
  expect(extracted?.bytes).toBe(extracted?.total)
})

test('[A-353] who stops an update, or whose connection breaks, keeps the version that is installed', async () => {
  const shop = openShop()
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  const stop = new AbortController()
  shop.deliver = async function* (archive) {
    yield archive.subarray(0, 100)
    stop.abort()
    yield archive.subarray(100)
  }
  const { signal } = stop
  await expect(manager.update(BLINKY, { signal })).rejects.toMatchObject({ code: 'aborted' })
  shop.deliver = async function* (archive) {
    yield archive.subarray(0, 100)
    throw new Error('socket hang up')
  }
  await expect(manager.update(BLINKY)).rejects.toMatchObject({
    code: 'download_failed',
    message: expect.stringContaining('socket hang up'),
  })
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
  expect((await listFiles(installation.state, '')).filter((path) => path.startsWith('downloads'))).toEqual([])
})
