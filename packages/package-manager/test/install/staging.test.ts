import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { InstallSource } from '../../src/install/install-source.ts'
import { INSTALLED_ONE, KEEP, ONE, openShop } from './blinky.ts'
import { BLINKY, listFiles, startInstallation } from './installation.ts'
import { Shop } from './shop.ts'

test.each([
  [
    'identifier',
    { identifier: 'com.example.other' },
    'identifier is com.example.other instead of com.example.blinky',
  ],
  ['type', { type: 'library' }, 'type is library instead of plugin'],
  [
    'version',
    { versions: [{ version: '1.0.1', status: 'stable', tool_version: '8.0' }] },
    'version is 1.0.1 instead of 1.0.0',
  ],
])('[A-354] an archive with another %s than the index is refused', async (_, metadata, message) => {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, { metadata })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({
    code: 'metadata_mismatch',
    message: expect.stringContaining(message),
  })
  expect(await installation.tree()).toEqual({})
})

test('[A-354] the metadata of an archive may be in a brand of the manager', async () => {
  const shop = new Shop()
  const versions = [{ version: '1.0.0', status: 'stable', kicad_version: '8.0' }]
  shop.add(BLINKY, '1.0.0', ONE, { metadata: { versions } })
  await using installation = await startInstallation(shop)
  const manager = await installation.open({ brands: ['kicad'] })
  expect(await manager.install(BLINKY)).toMatchObject({ to: '1.0.0' })
})

test.each([
  ['traversal', { name: 'plugins/../../../evil', data: Buffer.from('x') }],
  ['absolute_path', { name: '/tmp/patchbay-evil', data: Buffer.from('x') }],
  ['symlink', { name: 'plugins/link', data: Buffer.from('/etc/passwd'), mode: 0o120777 }],
  ['duplicate_name', { name: 'plugins/main.py', data: Buffer.from('x') }],
  ['bomb_ratio', { name: 'plugins/zeros', data: Buffer.alloc(3_000_000) }],
])('[A-355] a hostile archive is refused as %s', async (reason, entry) => {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, { entries: [entry] })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({
    code: 'archive_refused',
    message: expect.stringContaining(`(${reason})`),
    cause: { reason },
  })
  expect(await listFiles(installation.root, '')).toEqual(['.patchbay/installed.json'])
})

test('[A-356] a folder that somebody else put there is not touched', async () => {
  await using installation = await startInstallation(openShop())
  await installation.write('footprints/com_example_blinky/mine.mod', 'by hand')
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({
    code: 'folder_in_the_way',
    message: expect.stringContaining('footprints/com_example_blinky'),
  })
  expect(await installation.tree()).toEqual({ 'footprints/com_example_blinky/mine.mod': 'by hand' })
})

test('[A-356] two identifiers that differ by case alone do not share folders', async () => {
  const shop = openShop()
  shop.add('com.example.Blinky', '1.0.0', ONE)
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  expect(await manager.install('com.example.Blinky')).toMatchObject({ identifier: BLINKY, kind: 'unchanged' })
  expect((await manager.list()).map(({ identifier }) => identifier)).toEqual([BLINKY])
  expect(shop.opened).toEqual([`${BLINKY} 2.0.0`])
})

/** As a catalog does: upper and lower case are the same. */
function inAnyCase(shop: Shop): InstallSource {
  return { find: (identifier) => shop.find(identifier.toLowerCase()) }
}

test('[A-398] asked for in another case, an installed package is the installed one, pinned or not', async () => {
  const shop = openShop()
  await using installation = await startInstallation(shop)
  const manager = await installation.open({ source: inAnyCase(shop) })
  await manager.install(BLINKY, { version: '1.0.0' })
  await manager.pin(BLINKY)
  expect(await manager.install('Com.Example.Blinky')).toMatchObject({ identifier: BLINKY, kind: 'unchanged' })
  expect(await manager.list()).toMatchObject([{ identifier: BLINKY, version: '1.0.0', isPinned: true }])
  await manager.install('Com.Example.Blinky', { version: '2.0.0' })
  expect(await manager.list()).toMatchObject([{ identifier: BLINKY, version: '2.0.0', isPinned: true }])
})

test('[A-398] what is offered in another spelling is refused, and the failure names it', async () => {
  const shop = openShop()
  await using installation = await startInstallation(shop)
  const manager = await installation.open({ source: inAnyCase(shop) })
  const refusal = { code: 'identifier_clash', message: expect.stringContaining(`offered as ${BLINKY}`) }
  await expect(manager.install('Com.Example.Blinky')).rejects.toMatchObject(refusal)
  shop.add('COM.example.blinky', '1.0.0', ONE)
  const loud = await installation.open({ source: { find: () => shop.find('COM.example.blinky') } })
  await manager.install(BLINKY, { version: '1.0.0' })
  expect((await loud.update()).failed).toMatchObject([{ failure: { code: 'identifier_clash' } }])
  expect(shop.opened).toHaveLength(1)
})

test.each(['nul', 'CON', 'com1', 'lpt9', 'aux', 'prn'])(
  '[A-399] %s is the name of a device somewhere: refused before anything is downloaded',
  async (identifier) => {
    const shop = new Shop()
    shop.add(identifier, '1.0.0', ONE)
    await using installation = await startInstallation(shop)
    const manager = await installation.open()
    await expect(manager.install(identifier)).rejects.toMatchObject({ code: 'bad_identifier' })
    expect(shop.opened).toEqual([])
  },
)

test('[A-357] what needs more than is free is refused before the download', async () => {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, { version: { install_size: 2 ** 52 } })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/needs \d{16} bytes, and \d+ are free/),
  })
  expect(shop.opened).toEqual([])
})

/** A limit on the size of one file stands for a full disk: the write fails halfway, for any user. */
deepTest.each([
  ['download', randomBytes(600_000)],
  [
    'extraction',
    Buffer.from('0123456789abcdef'.repeat(2_500).concat(randomBytes(2_000).toString('hex')).repeat(12)),
  ],
])('[A-357] a disk that is full during the %s leaves the installed version whole', async (_, content) => {
  const shop = openShop()
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  shop.add(BLINKY, '2.0.0', { 'plugins/large.bin': content }, KEEP)
  const archive = join(installation.state, '..', 'large.bin')
  await writeFile(archive, content)
  const script = join(dirname(fileURLToPath(import.meta.url)), 'limited-process.ts')
  const command = `ulimit -f 200; exec "$0" "$@"`
  const args = ['-c', command, process.execPath, script, installation.root, archive]
  const { stdout } = await promisify(execFile)('sh', args)
  expect(JSON.parse(stdout)).toMatchObject({ code: 'disk_full' })
  const reopened = await installation.open()
  expect(await installation.tree()).toEqual({ ...INSTALLED_ONE, 'large.bin': expect.any(String) })
  expect(await reopened.check()).toMatchObject([{ version: '1.0.0', isWhole: true }])
  expect(await reopened.update(BLINKY)).toMatchObject({ updated: [{ to: '2.0.0' }] })
})

test('[A-360] the plugin folder of one package is not that of another', async () => {
  const shop = openShop()
  shop.add('com.example.blinky.pro', '1.0.0', { 'plugins/main.py': 'pro' })
  await using installation = await startInstallation(shop)
  await mkdir(join(installation.root, 'plugins'))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await manager.install('com.example.blinky.pro')
  await manager.remove(BLINKY)
  expect(await installation.tree()).toEqual({ 'plugins/com_example_blinky_pro/main.py': 'pro' })
})
