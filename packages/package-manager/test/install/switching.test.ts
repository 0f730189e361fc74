import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { INSTALLED_ONE, INSTALLED_TWO, openShop } from './blinky.ts'
import { crashAt } from './crash.ts'
import { BLINKY, listFiles, PLUGIN, startInstallation } from './installation.ts'

const SETTINGS = `${PLUGIN}/settings.ini`

test('[A-360] the folders of a version are installed, and those that the next one lacks are gone', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  expect(await manager.install(BLINKY, { version: '1.0.0' })).toMatchObject({
    kind: 'installed',
    to: '1.0.0',
  })
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
  await manager.update(BLINKY)
  expect(await installation.tree()).toEqual({ ...INSTALLED_TWO, [SETTINGS]: 'factory' })
})

test('[A-361] whoever comes after a crash in the middle of a switch finishes it', async () => {
  for (let moves = 1; ; moves += 1) {
    await using installation = await startInstallation(openShop())
    await (await installation.open()).install(BLINKY, { version: '1.0.0' })
    const steps: string[] = []
    await crashAt(installation, 'journal written', (manager) => manager.update(BLINKY), steps)
    const hasCrashed = await crashAt(installation, moves - 1, async () => undefined)
    await installation.open()
    expect(await installation.tree()).toEqual({ ...INSTALLED_TWO, [SETTINGS]: 'factory' })
    expect(installation.notices.join()).not.toContain('undone')
    if (!hasCrashed) break
  }
})

test('[A-362] a folder that cannot be put in place undoes the ones before', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  const before = await listFiles(installation.root, '')
  await writeFile(join(installation.root, 'footprints'), 'a file in the place of the folder')
  await expect(manager.update(BLINKY)).rejects.toMatchObject({
    name: 'InstallFailure',
    code: 'folder_in_the_way',
  })
  await rm(join(installation.root, 'footprints'))
  expect(await listFiles(installation.root, '')).toEqual(before)
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
  expect(await manager.update(BLINKY)).toMatchObject({ updated: [{ to: '2.0.0' }] })
})

deepTest(
  '[A-362] a failure after any step leaves the version that was there, and the next attempt works',
  async () => {
    await using installation = await startInstallation(openShop())
    const steps: string[] = []
    const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -28 })
    await (await installation.open()).install(BLINKY, { version: '1.0.0' })
    let attempt = 0
    for (let isDone = false; !isDone; attempt += 1) {
      steps.length = 0
      let hasFailed = false
      const step = (name: string) => {
        steps.push(name)
        if (steps.length !== attempt + 1 || name === 'swept') return
        hasFailed = true
        throw full()
      }
      const manager = await installation.open({ deps: { step } })
      const outcome: unknown = await manager.update(BLINKY).catch((error: unknown) => error)
      isDone = !hasFailed
      const expected = isDone ? { updated: [{ to: '2.0.0' }] } : { code: 'disk_full' }
      expect(outcome).toMatchObject(expected)
      const tree = isDone ? { ...INSTALLED_TWO, [SETTINGS]: 'factory' } : INSTALLED_ONE
      expect(await installation.tree()).toEqual(tree)
      expect(await manager.list()).toMatchObject([{ version: isDone ? '2.0.0' : '1.0.0' }])
    }
    expect(attempt).toBeGreaterThan(15)
    expect(installation.notices).toEqual([])
  },
)

test('[A-362] a switch that cannot be finished after a crash goes back', async () => {
  await using installation = await startInstallation(openShop())
  await (await installation.open()).install(BLINKY, { version: '1.0.0' })
  expect(await crashAt(installation, 'tree moved', (manager) => manager.update(BLINKY))).toBe(true)
  await writeFile(join(installation.root, 'footprints'), 'a file in the place of the folder')
  const manager = await installation.open()
  await rm(join(installation.root, 'footprints'))
  expect(await installation.tree()).toEqual(INSTALLED_ONE)
  expect(await manager.list()).toMatchObject([{ version: '1.0.0' }])
  expect(installation.notices).toEqual([expect.stringContaining('was undone')])
})

test('[A-362] a switch that can go neither way is said, and settled once the cause is gone', async () => {
  await using installation = await startInstallation(openShop())
  const { root, state } = installation
  await (await installation.open()).install(BLINKY, { version: '1.0.0' })
  expect(await crashAt(installation, 'tree moved', (manager) => manager.update(BLINKY))).toBe(true)
  await rename(join(root, 'plugins'), join(root, 'elsewhere'))
  await writeFile(join(root, 'plugins'), 'a file in the place of the folder')
  await expect(installation.open()).rejects.toMatchObject({ code: 'recovery_failed' })
  expect(await listFiles(state, '')).toContain('journal.json')
  await rm(join(root, 'plugins'))
  await rename(join(root, 'elsewhere'), join(root, 'plugins'))
  expect(await (await installation.open()).list()).toMatchObject([{ version: '2.0.0' }])
  expect(await installation.tree()).toEqual({ ...INSTALLED_TWO, [SETTINGS]: 'factory' })
})

test('[A-363] what a tool creates between crash and recovery is set aside', async () => {
  await using installation = await startInstallation(openShop())
  await (await installation.open()).install(BLINKY, { version: '1.0.0' })
  expect(await crashAt(installation, 'tree moved', (manager) => manager.update(BLINKY))).toBe(true)
  await installation.write(`${PLUGIN}/cache.txt`, 'written by the tool')
  await installation.open()
  expect(await installation.tree()).toEqual({ ...INSTALLED_TWO, [SETTINGS]: 'factory' })
  const kept = (await listFiles(installation.state, '')).filter((path) => path.endsWith('cache.txt'))
  expect(kept).toEqual([`packages/com_example_blinky/1/${PLUGIN}.stray/cache.txt`])
})

test('[A-364] rollback exchanges the versions, and twice returns', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await expect(manager.rollback(BLINKY)).rejects.toMatchObject({ code: 'no_previous' })
  await installation.write(`${PLUGIN}/notes.txt`, 'added by hand')
  await symlink('main.py', join(installation.root, PLUGIN, 'alias.py'))
  await manager.update(BLINKY)
  const two = await installation.tree()
  expect(await manager.rollback(BLINKY)).toMatchObject({ kind: 'rolled_back', from: '2.0.0', to: '1.0.0' })
  expect(await installation.tree()).toEqual({
    ...INSTALLED_ONE,
    [`${PLUGIN}/notes.txt`]: 'added by hand',
    [`${PLUGIN}/alias.py`]: 'one',
  })
  expect(await manager.list()).toMatchObject([{ version: '1.0.0', previousVersion: '2.0.0' }])
  expect(await manager.rollback(BLINKY)).toMatchObject({ from: '1.0.0', to: '2.0.0' })
  expect(await installation.tree()).toEqual(two)
  expect(await manager.check()).toMatchObject([{ version: '2.0.0', isWhole: true, added: [] }])
})

test('[A-364] one previous version is kept, not two', async () => {
  const shop = openShop()
  shop.add(BLINKY, '3.0.0', { 'plugins/main.py': 'three' })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) await manager.install(BLINKY, { version })
  const manifests = (await listFiles(installation.state, 'packages')).filter((path) =>
    path.endsWith('manifest.json'),
  )
  expect(manifests).toHaveLength(2)
  await manager.rollback(BLINKY)
  expect(await manager.list()).toMatchObject([{ version: '2.0.0', previousVersion: '3.0.0' }])
})

test('[A-365] remove leaves nothing of a package', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await manager.update(BLINKY)
  await manager.pin(BLINKY)
  expect(await manager.remove(BLINKY)).toMatchObject({ kind: 'removed', from: '2.0.0' })
  expect(await listFiles(installation.root, '')).toEqual(['.patchbay/installed.json'])
  expect(await manager.list()).toEqual([])
  await expect(manager.remove(BLINKY)).rejects.toMatchObject({ code: 'not_installed' })
  await manager.install(BLINKY)
  expect(await manager.list()).toMatchObject([{ isPinned: false }])
})

test('[A-367] a state folder on another file system is refused with advice', async ({ skip }) => {
  await using installation = await startInstallation(openShop())
  const here = statSync(installation.root).dev
  // Where temporary files are may be in memory too.
  const elsewhere = [tmpdir(), '/var/tmp'].find((place) => existsSync(place) && statSync(place).dev !== here)
  if (elsewhere === undefined) {
    skip('there is no second file system here')
    return
  }
  const stateFolder = await mkdtemp(join(elsewhere, 'patchbay-state-'))
  try {
    await expect(installation.open({ stateFolder })).rejects.toMatchObject({
      code: 'different_file_systems',
      message: expect.stringContaining('.patchbay'),
    })
  } finally {
    await rm(stateFolder, { recursive: true })
  }
})
