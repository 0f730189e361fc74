import type { Package } from '@patchbay/package-format'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { INSTALLED_ONE, openShop } from './blinky.ts'
import { BLINKY, PLUGIN, startInstallation } from './installation.ts'
import { Shop } from './shop.ts'

function shopOf(...versions: [version: string, fields?: object][]): Shop {
  const shop = new Shop()
  for (const [version, fields = {}] of versions) {
    shop.add(BLINKY, version, { 'plugins/main.py': version }, { version: fields })
  }
  return shop
}

deepTest(
  '[A-375] install takes the highest stable version that runs here, update stays as settled',
  async () => {
    const shop = shopOf(['1.0.0'], ['2.0.0', { status: 'testing' }], ['3.0.0', { platforms: ['macos'] }])
    await using installation = await startInstallation(shop)
    const manager = await installation.open()
    expect(await manager.install(BLINKY)).toMatchObject({ to: '1.0.0' })
    expect(await manager.update(BLINKY)).toMatchObject({ skipped: [{ reason: 'up_to_date' }], updated: [] })
    await manager.install(BLINKY, { version: '2.0.0' })
    shop.add(BLINKY, '2.1.0', { 'plugins/main.py': '2.1.0' }, { version: { status: 'testing' } })
    expect(await manager.update(BLINKY)).toMatchObject({ updated: [{ from: '2.0.0', to: '2.1.0' }] })
  },
)

test('[A-375] where nothing fits, the failure says why', async () => {
  const shop = shopOf(['1.0.0', { platforms: ['macos'] }], ['2.0.0', { tool_version: '10.0' }])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY)).rejects.toMatchObject({
    code: 'no_compatible_version',
    message: expect.stringMatching(/macos.*10\.0/),
    incompatibilities: [{ kind: 'platform' }, { kind: 'tool_too_old' }],
  })
  shop.delist(BLINKY)
  await expect(manager.install(BLINKY)).rejects.toThrow('no longer offered')
  await expect(manager.install('com.example.none')).rejects.toMatchObject({ code: 'unknown_package' })
})

test('[A-376] a version is installed by its name, also an older one', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY)
  expect(await manager.install(BLINKY, { version: '1.0.0' })).toMatchObject({ from: '2.0.0', to: '1.0.0' })
  await expect(manager.install(BLINKY, { version: '7' })).rejects.toMatchObject({
    code: 'unknown_version',
    message: expect.stringContaining('1.0.0, 2.0.0'),
  })
})

test('[A-376] a version that does not run here needs force, and then the reasons are warnings', async () => {
  const shop = shopOf(['1.0.0', { tool_version_max: '8.0', platforms: ['windows'] }])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await expect(manager.install(BLINKY, { version: '1.0.0' })).rejects.toMatchObject({
    code: 'incompatible',
    incompatibilities: [{ kind: 'tool_too_new' }, { kind: 'platform' }],
  })
  const change = await manager.install(BLINKY, { version: '1.0.0', force: true })
  expect(change.warnings).toEqual([expect.stringContaining('8.0'), expect.stringContaining('windows')])
})

test('[A-376] C8: of a version that is listed once per platform or runtime, the entry that fits is taken', async () => {
  const shop = new Shop()
  const linux = shop.add(
    BLINKY,
    '1.0.0',
    { 'plugins/main.py': 'linux' },
    { version: { platforms: ['linux'] } },
  )
  const other = { ...linux, download_sha256: '0'.repeat(64) }
  const known = shop.packages.get(BLINKY)
  const list = (...versions: object[]) =>
    shop.packages.set(BLINKY, { ...known, versions } as unknown as Package)
  list({ ...other, platforms: ['windows'] }, linux, { ...other, platforms: ['macos'] })
  await using installation = await startInstallation(shop)
  const manager = await installation.open({ target: { toolVersion: '8.0', platform: 'linux' } })
  expect(await manager.install(BLINKY, { version: '1.0.0' })).toMatchObject({ to: '1.0.0', warnings: [] })
  await manager.remove(BLINKY)
  list({ ...other, platforms: ['linux'], runtime: 'ipc' }, linux)
  expect(await manager.install(BLINKY, { version: '1.0.0' })).toMatchObject({ to: '1.0.0', warnings: [] })
  await manager.remove(BLINKY)
  list({ ...linux, platforms: ['windows'], runtime: 'ipc' }, { ...linux, platforms: ['macos'] })
  expect(await manager.install(BLINKY, { version: '1.0.0', force: true })).toMatchObject({
    warnings: [expect.stringContaining('runs on macos')],
  })
})

test('[A-375] C8: a plugin for a runtime that the tool does not have is not chosen, by install and by update', async () => {
  const shop = shopOf(['1.0.0', { runtime: 'swig' }], ['2.0.0', { runtime: 'ipc' }])
  await using installation = await startInstallation(shop)
  const old = await installation.open({ target: { toolVersion: '8.0', platform: 'linux' } })
  expect(await old.install(BLINKY)).toMatchObject({ to: '1.0.0' })
  expect(await old.update(BLINKY)).toMatchObject({ skipped: [{ reason: 'up_to_date' }] })
  await expect(old.install(BLINKY, { version: '2.0.0' })).rejects.toMatchObject({
    code: 'incompatible',
    incompatibilities: [{ kind: 'runtime' }],
  })
  const current = await installation.open({ target: { toolVersion: '9.0', platform: 'linux' } })
  expect(await current.update(BLINKY)).toMatchObject({ updated: [{ to: '2.0.0' }] })
})

test('[A-377] install of what is installed changes nothing; with force it repairs', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/main.py`, 'broken')
  expect(await manager.install(BLINKY)).toMatchObject({ kind: 'unchanged', to: '1.0.0' })
  expect(await manager.check()).toMatchObject([{ isWhole: false }])
  await manager.install(BLINKY, { version: '1.0.0', force: true })
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
  expect(await manager.check()).toMatchObject([{ isWhole: true }])
})

test('[A-378][A-379] updating all goes on after a failure and says what became of each', async () => {
  const shop = new Shop()
  const names = ['broken', 'current', 'delisted', 'gone', 'old', 'pinned'].map(
    (name) => `com.example.${name}`,
  )
  for (const name of names) shop.add(name, '1.0.0', { 'plugins/main.py': 'one' })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  for (const name of names) await manager.install(name)
  const [broken = '', , delisted = '', gone = '', old = '', pinned = ''] = names
  shop.add(broken, '2.0.0', { 'plugins/main.py': 'two' }, { version: { download_sha256: '0'.repeat(64) } })
  for (const name of [old, pinned]) shop.add(name, '2.0.0', { 'plugins/main.py': 'two' })
  shop.packages.delete(gone)
  shop.delist(delisted)
  await manager.pin(pinned)
  const report = await manager.update()
  expect(report.updated).toMatchObject([{ identifier: old, to: '2.0.0' }])
  expect(report.failed).toMatchObject([{ identifier: broken, failure: { code: 'hash_mismatch' } }])
  expect(report.skipped.map(({ identifier, reason }) => `${identifier} ${reason}`)).toEqual([
    'com.example.current up_to_date',
    'com.example.delisted delisted',
    'com.example.gone not_offered',
    'com.example.pinned pinned',
  ])
  expect(await manager.check()).toEqual(
    names.map((identifier) => expect.objectContaining({ identifier, isWhole: true })),
  )
})

test('[A-378] a source that fails for one package keeps none of the others from their update', async () => {
  const shop = openShop()
  shop.add('com.example.abroad', '1.0.0', { 'plugins/main.py': 'one' })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install('com.example.abroad')
  await manager.install(BLINKY, { version: '1.0.0' })
  const source = {
    async find(identifier: string) {
      if (identifier === BLINKY) return shop.find(identifier)
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111 })
    },
  }
  const abroad = await installation.open({ source })
  expect(await abroad.update()).toMatchObject({
    updated: [{ identifier: BLINKY }],
    failed: [{ identifier: 'com.example.abroad', failure: { code: 'source_failed' } }],
  })
})

test('[A-379] a pinned package is updated by nobody until it is unpinned', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await expect(manager.pin(BLINKY)).rejects.toMatchObject({ code: 'not_installed' })
  await manager.install(BLINKY, { version: '1.0.0' })
  await manager.pin(BLINKY)
  await manager.pin(BLINKY)
  expect(await manager.list()).toMatchObject([{ isPinned: true }])
  await expect(manager.update(BLINKY)).rejects.toMatchObject({
    code: 'pinned',
    message: expect.stringContaining('unpin'),
  })
  await manager.install(BLINKY, { version: '2.0.0' })
  await manager.rollback(BLINKY)
  expect(await (await installation.open()).list()).toMatchObject([{ isPinned: true, version: '1.0.0' }])
  await manager.unpin(BLINKY)
  expect(await manager.update(BLINKY)).toMatchObject({ updated: [{ to: '2.0.0' }] })
})

test('[A-507] R2: a deprecated version is chosen last, with a warning, and updates never go to one', async () => {
  const shop = shopOf(['1.0.0', { status: 'testing' }], ['2.0.0', { status: 'deprecated' }])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  expect(await manager.install(BLINKY)).toMatchObject({ to: '1.0.0', warnings: [] })
  expect(await manager.update(BLINKY)).toMatchObject({ updated: [], skipped: [{ reason: 'up_to_date' }] })
  const named = await manager.install(BLINKY, { version: '2.0.0' })
  expect(named.warnings).toEqual([`${BLINKY} 2.0.0 is deprecated: its author advises against it`])
  expect(await manager.list()).toMatchObject([{ version: '2.0.0', isDeprecated: true }])
  shop.add(BLINKY, '3.0.0', { 'plugins/main.py': '3' }, { version: { status: 'deprecated' } })
  expect(await manager.update()).toMatchObject({ updated: [], skipped: [{ reason: 'deprecated' }] })
  shop.add(BLINKY, '2.5.0', { 'plugins/main.py': '2.5' })
  expect(await manager.update()).toMatchObject({ updated: [{ to: '2.5.0', warnings: [] }] })
  expect(await manager.list()).toMatchObject([{ isDeprecated: false }])
})

test('[A-507] R2: what was deprecated after it was installed is told by update, outdated and then by list', async () => {
  const shop = shopOf(['1.0.0'])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  expect(await manager.findOutdated()).toMatchObject({ outdated: [], deprecated: [] })
  shop.add(BLINKY, '1.0.0', { 'plugins/main.py': '1' }, { version: { status: 'deprecated' } })
  expect(await manager.findOutdated()).toMatchObject({
    outdated: [],
    deprecated: [{ identifier: BLINKY, installed: '1.0.0' }],
  })
  expect(await manager.list()).toMatchObject([{ isDeprecated: false }])
  const { skipped } = await manager.update()
  expect(skipped).toMatchObject([
    { reason: 'deprecated', message: expect.stringContaining('1.0.0 is deprecated') },
  ])
  expect(await (await installation.open()).list()).toMatchObject([{ isDeprecated: true, status: 'stable' }])
  shop.add(BLINKY, '1.0.0', { 'plugins/main.py': '1' })
  expect((await manager.update()).skipped).toMatchObject([{ reason: 'up_to_date' }])
  expect(await manager.list()).toMatchObject([{ isDeprecated: false }])
})

test('[A-517] R1: a yanked version is installed for whoever names it, with a warning, and for nobody else', async () => {
  const shop = shopOf(['1.0.0'], ['2.0.0'])
  shop.yank(BLINKY, '2.0.0', 'Deletes boards')
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  expect(await manager.install(BLINKY)).toMatchObject({ to: '1.0.0', warnings: [] })
  expect(await manager.update(BLINKY)).toMatchObject({ updated: [], skipped: [{ reason: 'up_to_date' }] })
  const named = await manager.install(BLINKY, { version: '2.0.0' })
  expect(named).toMatchObject({ to: '2.0.0', warnings: [`${BLINKY} 2.0.0 was yanked: Deletes boards`] })
  expect(await manager.list()).toMatchObject([{ version: '2.0.0', isYanked: true }])
  await manager.remove(BLINKY)
  shop.delist(BLINKY)
  await expect(manager.install(BLINKY)).rejects.toMatchObject({ code: 'no_compatible_version' })
  expect(await manager.install(BLINKY, { version: '2.0.0' })).toMatchObject({ to: '2.0.0' })
})

test('[A-518] R1: what was yanked after it was installed is told by update, outdated and list, and left for something newer', async () => {
  const shop = shopOf(['1.0.0'], ['2.0.0'])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  shop.yank(BLINKY, '2.0.0', 'Deletes boards')
  const yanked = [{ identifier: BLINKY, installed: '2.0.0', reason: 'Deletes boards' }]
  expect(await manager.findOutdated()).toMatchObject({ outdated: [], deprecated: [], yanked })
  const { skipped } = await manager.update()
  expect(skipped).toMatchObject([{ reason: 'yanked', message: expect.stringContaining('Deletes boards') }])
  expect(await (await installation.open()).list()).toMatchObject([{ isYanked: true, version: '2.0.0' }])
  await manager.pin(BLINKY)
  shop.add(BLINKY, '3.0.0', { 'plugins/main.py': '3' }, { version: { status: 'testing' } })
  expect(await manager.update()).toMatchObject({ skipped: [{ reason: 'pinned' }] })
  await manager.unpin(BLINKY)
  expect(await manager.update()).toMatchObject({ updated: [{ from: '2.0.0', to: '3.0.0' }] })
  expect(await manager.list()).toMatchObject([{ isYanked: false }])
})

test('[A-380] outdated says what an update would change', async () => {
  const shop = shopOf(['1.0.0'])
  shop.add('com.example.other', '1.0.0', { 'plugins/main.py': 'one' })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  await manager.install('com.example.other')
  expect(await manager.outdated()).toEqual([])
  shop.add(BLINKY, '1.1.0', { 'plugins/main.py': '1.1.0' })
  await manager.pin(BLINKY)
  expect(await manager.outdated()).toEqual([
    { identifier: BLINKY, installed: '1.0.0', available: '1.1.0', isPinned: true },
  ])
})

test('[A-380] a package that nobody can say anything about hides none of the others', async () => {
  const shop = shopOf(['1.0.0'])
  shop.add('com.example.other', '1.0.0', { 'plugins/main.py': 'one' })
  await using installation = await startInstallation(shop)
  const first = await installation.open()
  await first.install(BLINKY)
  await first.install('com.example.other')
  shop.add(BLINKY, '1.1.0', { 'plugins/main.py': '1.1.0' })
  const silent = new Set(['com.example.other'])
  const find = async (identifier: string) => {
    if (silent.has(identifier)) throw new Error('its repository is silent')
    return shop.find(identifier)
  }
  const manager = await installation.open({ source: { find } })
  const outdated = [{ identifier: BLINKY, installed: '1.0.0', available: '1.1.0', isPinned: false }]
  expect(await manager.findOutdated()).toMatchObject({
    outdated,
    failed: [{ identifier: 'com.example.other', failure: { code: 'source_failed' } }],
  })
  expect(await manager.outdated()).toEqual(outdated)
  expect(installation.notices).toEqual([expect.stringContaining('silent')])
  silent.add(BLINKY)
  await expect(manager.outdated()).rejects.toMatchObject({ code: 'source_failed' })
})

test('[A-397] an update comes from where the package came from, unless another origin is allowed', async () => {
  const shop = shopOf(['1.0.0'])
  shop.origin = 'https://ours.example/repository.json'
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  expect(await manager.list()).toMatchObject([{ origin: shop.origin }])
  shop.add(BLINKY, '2.0.0', { 'plugins/main.py': '2.0.0' })
  for (const origin of ['https://theirs.example/repository.json', undefined]) {
    shop.origin = origin
    expect(await manager.update(BLINKY)).toMatchObject({ updated: [], skipped: [{ reason: 'other_origin' }] })
    expect((await manager.update()).skipped[0]?.message).toContain('https://ours.example/repository.json')
    expect(await manager.outdated()).toEqual([])
  }
  shop.origin = 'https://theirs.example/repository.json'
  const { updated } = await manager.update(BLINKY, { allowOtherOrigin: true })
  expect(updated).toMatchObject([{ to: '2.0.0' }])
  expect(await manager.list()).toMatchObject([{ origin: shop.origin }])
  await manager.rollback(BLINKY)
  expect(await manager.list()).toMatchObject([{ origin: 'https://ours.example/repository.json' }])
})

test('[A-397] a version that is asked for by name may come from elsewhere, and the result says so', async () => {
  const shop = shopOf(['1.0.0'], ['2.0.0'])
  shop.origin = 'https://ours.example/repository.json'
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  shop.origin = 'https://theirs.example/repository.json'
  const { warnings } = await manager.install(BLINKY, { version: '2.0.0' })
  expect(warnings).toEqual([expect.stringMatching(/theirs.*ours/)])
})

test('[A-397] what was installed without an origin may be updated from any', async () => {
  const shop = shopOf(['1.0.0'])
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY)
  shop.add(BLINKY, '2.0.0', { 'plugins/main.py': '2.0.0' })
  shop.origin = 'https://ours.example/repository.json'
  expect((await manager.update(BLINKY)).updated).toHaveLength(1)
})
