import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readResourcesIcons } from '@patchbay/package-archive'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { archiveOf, ICON } from '../archive.ts'
import { type RegistryNode, startRegistry } from '../start.ts'
import { pathOf, readBytes, readFeed, readJson, sha256Of } from './reading.ts'

const KICAD = '/registry/feeds/kicad/repository.json'

async function iconsOf(node: RegistryNode, zip: Buffer | undefined): Promise<string[]> {
  if (zip === undefined) return []
  const path = join(node.folder, `${sha256Of(zip)}.zip`)
  await writeFile(path, zip)
  return [...(await readResourcesIcons(path)).keys()]
}

test('[A-402] a list shows a package as its archive describes it, in the dialect of its brand', async () => {
  await using node = await startRegistry()
  const archive = archiveOf({ versionFields: { platforms: ['linux'], tool_version_max: '9.0' } })
  await node.as('ada').publish(archive)
  await node.registry.indexer.settle(20_000)
  const [entry] = (await readFeed(node, KICAD)).packages.packages
  expect(entry).toEqual({
    name: 'Blinky',
    description: 'Lets a light blink',
    description_full: 'Lets a light blink at a pace of your choice.',
    identifier: 'com.example.blinky',
    type: 'plugin',
    author: { name: 'Ada Lovelace', contact: { web: 'https://example.com/ada' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    tags: ['led'],
    versions: [
      {
        version: '1.0.0',
        status: 'stable',
        kicad_version: '8.0',
        kicad_version_max: '9.0',
        platforms: ['linux'],
        download_url: `http://patchbay.localhost/registry/archives/${sha256Of(archive)}/com.example.blinky-1.0.0.zip`,
        download_sha256: sha256Of(archive),
        download_size: archive.byteLength,
        install_size: 85,
      },
    ],
  })
  const neutral = await readFeed(node)
  expect(neutral.packages.packages[0]?.versions[0]).toMatchObject({
    tool_version: '8.0',
    tool_version_max: '9.0',
  })
  const downloaded = await readBytes(node, pathOf(String(entry?.versions[0]?.download_url)))
  expect(downloaded).toEqual(Buffer.from(archive))
})

test('[A-3] R4: a version with both spellings has the values of each in every feed', async () => {
  await using node = await startRegistry()
  const both = { tool_version: '9.0', kicad_version: '8.0', kicad_version_max: '8.99' }
  await node.as('ada').publish(archiveOf({ versionFields: both }))
  await node.registry.indexer.settle(20_000)
  for (const feed of [await readFeed(node), await readFeed(node, KICAD)]) {
    const [version] = feed.packages.packages[0]?.versions ?? []
    expect(version).toMatchObject(both)
    expect(version).not.toHaveProperty('tool_version_max')
  }
})

test('[A-401] the order of publication leaves no trace in the bytes', async () => {
  const identifiers = ['com.example.b', 'Com.example.upper', 'com.example-dash', 'com.example.a']
  const versions = ['1.2', '1.10']
  const publishAll = async (order: readonly string[], versionOrder: readonly string[]) => {
    await using node = await startRegistry()
    const ada = node.as('ada')
    for (const version of versionOrder)
      await Promise.all(
        order.map((identifier) => ada.publish(archiveOf({ identifier, version, package: { zoo: 1, b: 2 } }))),
      )
    await node.registry.indexer.settle(20_000)
    return (await readFeed(node)).packages
  }
  const one = await publishAll(identifiers, versions)
  const other = await publishAll(identifiers.toReversed(), versions.toReversed())
  expect(JSON.stringify(other)).toBe(JSON.stringify(one))
  expect(one.packages.map(({ identifier }) => identifier)).toEqual(identifiers.toSorted())
  expect(one.packages[0]?.versions.map(({ version }) => version)).toEqual(['1.10', '1.2'])
  expect(Object.keys(one.packages[0] ?? {}).slice(-4)).toEqual(['tags', 'b', 'zoo', 'versions'])
}, 60_000)

test('[A-403] a delisted package is named without versions, icon and manifests', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  await ada.publish(archiveOf({ identifier: 'com.example.a' }))
  await ada.publish(archiveOf({ identifier: 'com.example.b' }))
  await ada.change('PATCH', '/registry/owners/ada/packages/com.example.a', { is_listed: false })
  await node.registry.indexer.settle(20_000)
  const { packages, resources, manifests } = await readFeed(node)
  expect(packages.packages.map(({ identifier, versions }) => [identifier, versions.length])).toEqual([
    ['com.example.a', 0],
    ['com.example.b', 1],
  ])
  expect(manifests.manifests['com.example.a']).toEqual({})
  expect(await iconsOf(node, resources)).toEqual(['com.example.b'])
})

deepTest('[A-403] a private package is in the private feed of its owner and nowhere else', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  await ada.publish(archiveOf({ identifier: 'com.example.open' }))
  await ada.publish(archiveOf({ identifier: 'com.example.secret' }), { visibility: 'private' })
  await node.registry.indexer.settle(20_000)
  const paths = ['/registry/feeds/tool/repository.json', '/registry/feeds/tool/ada/repository.json']
  const open = await Promise.all(paths.map((path) => readFeed(node, path)))
  const own = await readFeed(ada, '/registry/feeds/tool/ada/private/repository.json')
  const names = [...open, own].map(({ packages }) => packages.packages.map(({ identifier }) => identifier))
  expect(names).toEqual([
    ['com.example.open'],
    ['com.example.open'],
    ['com.example.open', 'com.example.secret'],
  ])
  expect(JSON.stringify(open)).not.toContain('secret')
  expect((await node.ask('/registry/sparse/tool/com.example.secret.json')).status).toBe(404)
  expect(own.repository.name).toBe('Test: ada (private)')
})

test('[A-404] resources.zip holds the icons', async () => {
  await using node = await startRegistry()
  await node.as('ada').publish(archiveOf({ identifier: 'com.example.a' }))
  await node.as('ada').publish(archiveOf({ identifier: 'com.example.b', icon: undefined }))
  await node.registry.indexer.settle(20_000)
  const { resources } = await readFeed(node)
  expect(await iconsOf(node, resources)).toEqual(['com.example.a'])
})

deepTest('[A-404] a feed without icons names no resources.zip', async () => {
  await using node = await startRegistry()
  await node.as('ada').publish(archiveOf({ identifier: 'com.example.b', icon: undefined }))
  await node.registry.indexer.settle(20_000)
  const { repository, packages } = await readFeed(node)
  expect(packages.packages).toHaveLength(1)
  expect(Object.keys(repository)).toEqual(['name', 'packages', 'manifests'])
  await node.as('ada').publish(archiveOf({ identifier: 'com.example.a' }))
  await node.registry.indexer.settle(20_000)
  const later = await readFeed(node)
  expect(await iconsOf(node, later.resources)).toEqual(['com.example.a'])
})

deepTest(
  '[A-404] an icon that is lost, or whose name no zip may hold, keeps nothing else from being built',
  async () => {
    await using node = await startRegistry()
    const ada = node.as('ada')
    const icon = Buffer.concat([ICON, Buffer.from('other')])
    await ada.publish(archiveOf({ identifier: 'com.example.a' }))
    await node.db
      .updateTable('packages')
      .set({ icon_sha256: sha256Of(icon) })
      .execute()
    await ada.publish(archiveOf({ identifier: 'nul' }))
    await ada.publish(archiveOf({ identifier: 'com.example.c' }))
    await node.registry.indexer.settle(20_000)
    const { packages, resources } = await readFeed(node)
    expect(packages.packages.map(({ identifier }) => identifier)).toContain('com.example.c')
    expect(await iconsOf(node, resources)).toContain('com.example.c')
    expect(await iconsOf(node, resources)).not.toContain('com.example.a')
  },
)

test('[A-405] manifests lead to the files that each version installs', async () => {
  await using node = await startRegistry()
  await node.as('ada').publish(archiveOf())
  await node.registry.indexer.settle(20_000)
  const { manifests } = await readFeed(node)
  const named = manifests.manifests['com.example.blinky']?.['1.0.0']
  const bytes = await readBytes(node, pathOf(named?.url ?? ''))
  expect(sha256Of(bytes)).toBe(named?.sha256)
  expect(bytes.toString()).toContain('plugins/__init__.py')
  expect(Object.keys(manifests)).toEqual(['manifests'])
})

test('[A-416] a new installation has a repository without packages', async () => {
  await using node = await startRegistry({ sweeps: true })
  await expect.poll(async () => (await node.ask(KICAD)).status, { timeout: 10_000 }).toBe(200)
  expect((await readFeed(node, KICAD)).packages).toEqual({ packages: [] })
  expect(await readJson(node, KICAD)).toMatchObject({ name: 'Test' })
})
