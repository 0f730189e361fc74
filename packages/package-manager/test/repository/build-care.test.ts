import { randomUUID } from 'node:crypto'
import { readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BuildOptions } from '../../src/repository/build-options.ts'
import { checkBuild } from '../../src/repository/check-build.ts'
import { RepositoryBuildRefused } from '../../src/repository/index.ts'
import type { PackageList } from '../../src/repository/package-list.ts'
import type { PreviousOutput } from '../../src/repository/previous-output.ts'
import { failureOf, samplePackage } from '../client/sample.ts'
import { BASE, openWorkshop, readTree } from './workshop.ts'

async function faultsOf(call: Promise<unknown>) {
  const failure = await failureOf(call)
  if (!(failure instanceof RepositoryBuildRefused)) throw failure
  return failure.faults
}

test('[A-346] one folder for both, or one inside of the other, is refused, and nothing is touched', async () => {
  await using shop = await openWorkshop()
  await shop.addArchive('com.example.a', { at: 'archives/com.example.a-1.0.0.zip' })
  await symlink(shop.folder, join(shop.root, 'link'))
  const before = await readTree(shop.folder)
  const outputs = [shop.folder, join(shop.root, 'link'), join(shop.folder, 'public'), shop.root]
  for (const out of outputs) {
    expect(await faultsOf(shop.build({ out }))).toMatchObject([{ code: 'folders_overlap' }])
  }
  expect(await readTree(shop.folder)).toEqual(before)
  expect(await readdir(shop.folder)).toEqual(['archives'])
})

test('[A-336] a folder without packages takes nothing away from what was published, unless that is asked for', async () => {
  await using shop = await openWorkshop()
  expect(await shop.build()).toMatchObject({ packages: 0 })
  const path = await shop.addArchive('com.example.a')
  await shop.build({ timestamp: 1_700_000_001 })
  await rm(path)
  const later = { timestamp: 1_700_000_002 }
  expect(await faultsOf(shop.build(later))).toMatchObject([{ code: 'nothing_to_publish' }])
  expect(await readdir(join(shop.out, 'archives'))).toHaveLength(1)
  expect((await shop.build({ ...later, allowEmpty: true })).removed).toHaveLength(2)
})

test('[A-335] C9: patterns of kept files that cannot be run safely are published with a warning', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a', { changes: { keep_on_update: ['[^x]{0,999}[xX]', '(?!a)b'] } })
  expect((await shop.build()).warnings).toEqual([
    expect.stringMatching(/^com\.example\.a: \/keep_on_update\/0 .*repeats too much/),
    expect.stringMatching(/^com\.example\.a: \/keep_on_update\/1 .*\(\?!/),
  ])
})

test('[A-335] an entry with a link that runs code is refused, from an archive as from a folder', () => {
  const entry = samplePackage('com.example.a', {
    resources: { home: 'javascript:alert(1)' },
    versions: [{ version: '1.0.0', status: 'stable', tool_version: '8.0' }],
  })
  const list = { packages: [entry], versions: [] } as unknown as PackageList
  const none: PreviousOutput = { repository: undefined, published: new Map() }
  const options: BuildOptions = { folder: 'in', out: 'out', name: 'Workshop', baseUrl: BASE }
  const { faults } = checkBuild(list, Buffer.of(), none, options)
  expect(faults).toMatchObject([
    { code: 'invalid_package', source: 'com.example.a', findings: [{ pointer: '/resources/home' }] },
  ])
})

test('[A-335] patterns count together with those that a later version gave to the whole package', async () => {
  await using shop = await openWorkshop()
  const patterns = (name: string) => ({
    keep_on_update: Array.from({ length: 60 }, (_, index) => `${name}${index}[.]ini$`),
  })
  await shop.addFolder('com.example.a', { versionChanges: patterns('old') })
  await shop.addFolder('com.example.a', { version: '2.0.0', changes: patterns('new') })
  const { warnings } = await shop.build()
  expect(warnings).toHaveLength(20)
  expect(warnings[0]).toMatch(/^com\.example\.a: \/versions\/\d\/keep_on_update\/40 .*more than 100 patterns/)
})

test('[A-334] what a build that was killed left half written is not published', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.a')
  await shop.build()
  const part = join(shop.out, `packages.json.${randomUUID()}.part`)
  await writeFile(part, 'half')
  await utimes(part, 1, 1)
  await shop.build()
  expect((await readdir(shop.out)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('[A-346] an address with a password is refused, and the password is not repeated', async () => {
  await using shop = await openWorkshop()
  const failure = await failureOf(shop.build({ baseUrl: 'https://ada:geheim@packages.example/' }))
  expect(failure.message).toMatch(/^baseUrl holds/)
  expect(failure.message).not.toContain('geheim')
})
