import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeResourcesZip } from '@patchbay/package-archive'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { verifyRepository } from '../../src/repository/index.ts'
import { sha256 } from '../client/sample.ts'
import { DAY, holdCeremony, NOW } from './signing-keys.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const ARCHIVE = 'archives/com.example.blinky-1.0.0.zip'

async function change(shop: Workshop, name: string, edit: (text: string) => string): Promise<void> {
  const path = join(shop.out, name)
  await writeFile(path, edit(await readFile(path, 'utf8')))
}

/** Writes a changed list together with its right hash, so that only what is in it is wrong. */
async function changeList(shop: Workshop, edit: (text: string) => string): Promise<void> {
  await change(shop, 'packages.json', edit)
  const index = await shop.readIndex()
  const hash = sha256(await readFile(join(shop.out, 'packages.json')))
  const packages = { ...index.packages, sha256: hash }
  await writeFile(join(shop.out, 'repository.json'), JSON.stringify({ ...index, packages }))
}

async function buildSample(shop: Workshop): Promise<void> {
  await shop.addFolder('com.example.blinky')
  await shop.addFolder('com.example.other', { icon: false })
  await shop.build()
}

test('[A-339] R6: the dialect is read from what was built', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.a', { brand: 'kicad' })
  await shop.addFolder('com.example.b')
  await shop.build({ brand: 'kicad' })
  expect(await verifyRepository(shop.out)).toMatchObject({ isSound: true, findings: [], versions: 2 })
})

test('[A-339] a repository as it was built is sound', async () => {
  await using shop = await openWorkshop()
  await buildSample(shop)
  const report = await verifyRepository(shop.out)
  expect(report).toMatchObject({ isSound: true, findings: [], packages: 2, versions: 2, checked: 6 })
  expect(report.summary).toMatch(
    /^sound: 2 packages, 2 versions, 6 files, \d+ bytes checked; 0 errors, 0 warnings$/,
  )
})

deepTest.each<[string, string, (shop: Workshop) => Promise<void>]>([
  ['an index that is missing', 'repository_missing', (shop) => rm(join(shop.out, 'repository.json'))],
  [
    'an index that is invalid',
    'repository_invalid',
    (shop) => change(shop, 'repository.json', (text) => text.replace('"name"', '"nam"')),
  ],
  [
    'an index of another kind',
    'repository_invalid',
    (shop) => writeFile(join(shop.out, 'repository.json'), '{"packages": []}'),
  ],
  ['a list that is missing', 'packages_missing', (shop) => rm(join(shop.out, 'packages.json'))],
  [
    'a list that was changed',
    'hash_mismatch',
    (shop) => change(shop, 'packages.json', (text) => `${text}\n`),
  ],
  ['an archive that is missing', 'archive_missing', (shop) => rm(join(shop.out, ARCHIVE))],
  ['an archive that is none', 'archive_refused', (shop) => writeFile(join(shop.out, ARCHIVE), 'no zip')],
  [
    'an archive that was replaced',
    'hash_mismatch',
    async (shop) => {
      await rm(join(shop.folder, 'com.example.blinky-1.0.0'), { recursive: true })
      const path = await shop.addArchive('com.example.blinky', { content: 'other()\n' })
      await writeFile(join(shop.out, ARCHIVE), await readFile(path))
    },
  ],
  [
    'a wrong size',
    'size_mismatch',
    (shop) => changeList(shop, (text) => text.replace(/"download_size": \d+/, '"download_size": 5')),
  ],
  [
    'a wrong installed size',
    'install_size_mismatch',
    (shop) => changeList(shop, (text) => text.replace(/"install_size": \d+/, '"install_size": 5')),
  ],
  [
    'another package in the archive',
    'metadata_differs',
    (shop) =>
      changeList(shop, (text) =>
        text.replace('"identifier": "com.example.blinky"', '"identifier": "com.example.blinkx"'),
      ),
  ],
  [
    'a broken package',
    'package_invalid',
    (shop) => changeList(shop, (text) => text.replace('"MIT"', '"MTI"')),
  ],
  [
    'a version without address',
    'no_download',
    (shop) => changeList(shop, (text) => text.replaceAll('"download_url"', '"x"')),
  ],
  [
    'an archive elsewhere',
    'outside',
    (shop) =>
      changeList(shop, (text) =>
        text.replace('https://packages.example/repository/archives', 'https://cdn.example'),
      ),
  ],
  [
    'a version without hash',
    'no_hash',
    (shop) => changeList(shop, (text) => text.replaceAll('"download_sha256"', '"x"')),
  ],
  [
    'icons that are no zip',
    'resources_unreadable',
    (shop) => writeFile(join(shop.out, 'resources.zip'), 'no zip'),
  ],
  [
    'an icon that is missing',
    'icon_missing',
    (shop) => writeResourcesZip([], join(shop.out, 'resources.zip')),
  ],
  [
    'manifests of other files',
    'manifest_differs',
    (shop) =>
      change(shop, 'manifests/com.example.blinky-1.0.0.json', (text) => text.replace('main.py', 'mean.py')),
  ],
  [
    'a manifest that is missing',
    'manifest_missing',
    (shop) => rm(join(shop.out, 'manifests/com.example.blinky-1.0.0.json')),
  ],
  [
    'manifests that are no JSON',
    'manifests_invalid',
    (shop) => writeFile(join(shop.out, 'manifests.json'), 'x'),
  ],
  [
    'an archive that nobody names',
    'unreferenced',
    (shop) => writeFile(join(shop.out, 'archives/left.zip'), 'x'),
  ],
  [
    'a time that is off',
    'repository_invalid',
    (shop) => change(shop, 'repository.json', (text) => text.replace('22:13:20', '23:13:20')),
  ],
])('[A-339] %s is found: %s', async (_what, code, plant) => {
  await using shop = await openWorkshop()
  await buildSample(shop)
  await plant(shop)
  const report = await verifyRepository(shop.out)
  expect(report.findings.map((finding) => finding.code)).toContain(code)
  expect(report.summary.split('\n')).toHaveLength(report.findings.length + 1)
})

test('[A-338] a signed repository is sound until a byte of its index changes or the signatures run out', async () => {
  await using shop = await openWorkshop()
  const { trust } = holdCeremony()
  await shop.addFolder('com.example.blinky')
  await shop.build({ trust, now: () => NOW })
  const verify = (now: number) => verifyRepository(shop.out, { now: () => now })
  expect((await verify(NOW)).findings).toEqual([])
  expect((await verify(NOW + 31 * DAY)).findings).toMatchObject([{ code: 'signature_invalid' }])
  await change(shop, 'repository.json', (text) => text.replace('Workshop', 'Workshow'))
  expect((await verify(NOW)).findings).toMatchObject([{ code: 'signature_invalid', severity: 'error' }])
})

test('[A-338] signatures are renewed with every change, and before a third of their time is left', async () => {
  await using shop = await openWorkshop()
  const { trust } = holdCeremony()
  await shop.addFolder('com.example.blinky')
  const first = await shop.build({ trust, now: () => NOW })
  expect(first.written.filter((name) => name.startsWith('tuf/'))).toEqual([
    'tuf/1.root.json',
    'tuf/1.targets.json',
    'tuf/1.snapshot.json',
    'tuf/timestamp.json',
  ])
  expect((await shop.build({ trust, now: () => NOW + DAY })).written).toEqual([])
  const renewed = await shop.build({ trust, now: () => NOW + 21 * DAY })
  expect(renewed.written).toEqual(['tuf/2.targets.json', 'tuf/2.snapshot.json', 'tuf/timestamp.json'])
  await shop.addFolder('com.example.more')
  const changed = await shop.build({ trust, now: () => NOW + 22 * DAY, timestamp: 1_800_000_000 })
  expect(changed.written).toContain('tuf/3.targets.json')
  expect((await verifyRepository(shop.out, { now: () => NOW + 50 * DAY })).findings).toEqual([])
})
