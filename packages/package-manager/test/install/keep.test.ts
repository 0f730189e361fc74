import { mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBoundedPatterns } from '../../src/install/stage/bounded-patterns.ts'
import { openPatterns } from '../../src/install/stage/kept-patterns.ts'
import { BLINKY, listFiles, PLUGIN, startInstallation } from './installation.ts'
import { Shop } from './shop.ts'

const MAIN = `${PLUGIN}/main.py`

/** The first version keeps nothing; what counts is the version that comes. */
function shopWith(
  packagePatterns: string[],
  versionPatterns: string[] = [],
  files: Record<string, string> = {},
): Shop {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', { 'plugins/main.py': 'one' })
  shop.add(
    BLINKY,
    '2.0.0',
    { 'plugins/main.py': 'two', ...files },
    { package: { keep_on_update: packagePatterns }, version: { keep_on_update: versionPatterns } },
  )
  return shop
}

test("[A-370] the package's and the version's patterns keep files, and all others go", async () => {
  const shop = shopWith(['^/plugins/com_example_blinky/user/'], ['settings\\.ini$'], {
    'plugins/settings.ini': 'new',
  })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/settings.ini`, 'mine')
  await installation.write(`${PLUGIN}/user/a/b.txt`, 'deep')
  await installation.write(`colors/com_example_blinky/settings.ini`, 'in another folder')
  await installation.write(`${PLUGIN}/SETTINGS.INI`, 'case matters')
  await installation.write(`${PLUGIN}/notes.txt`, 'mine as well')
  const report = await manager.update(BLINKY)
  const kept = [`${PLUGIN}/settings.ini`, `${PLUGIN}/user/a/b.txt`, 'colors/com_example_blinky/settings.ini']
  expect(report.updated[0]?.kept.toSorted()).toEqual(kept.toSorted())
  expect(await installation.tree()).toEqual({
    [MAIN]: 'two',
    [`${PLUGIN}/settings.ini`]: 'mine',
    [`${PLUGIN}/user/a/b.txt`]: 'deep',
    'colors/com_example_blinky/settings.ini': 'in another folder',
  })
  const previous = await listFiles(installation.state, 'packages/com_example_blinky/1')
  expect(previous).toContain(`packages/com_example_blinky/1/${PLUGIN}/notes.txt`)
})

test('[A-371] on rollback the current kept files win', async () => {
  await using installation = await startInstallation(shopWith([], ['settings\\.ini$']))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/settings.ini`, 'first')
  await manager.update(BLINKY)
  await installation.write(`${PLUGIN}/settings.ini`, 'second')
  expect(await manager.rollback(BLINKY)).toMatchObject({ kept: [`${PLUGIN}/settings.ini`] })
  expect(await installation.tree()).toEqual({ [MAIN]: 'one', [`${PLUGIN}/settings.ini`]: 'second' })
  await installation.write(`${PLUGIN}/settings.ini`, 'third')
  await manager.rollback(BLINKY)
  expect(await installation.tree()).toEqual({ [MAIN]: 'two', [`${PLUGIN}/settings.ini`]: 'third' })
})

test('[A-371] a rollback that fails changes nothing of the version that it would have brought back', async () => {
  await using installation = await startInstallation(shopWith([], ['settings\\.ini$']))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/settings.ini`, 'first')
  await manager.update(BLINKY)
  await installation.write(`${PLUGIN}/settings.ini`, 'second')
  const step = (name: string) => {
    if (name === 'staged') throw Object.assign(new Error('input/output error'), { code: 'EIO', errno: -5 })
  }
  const failing = await installation.open({ deps: { step } })
  await expect(failing.rollback(BLINKY)).rejects.toMatchObject({ code: 'disk_failed' })
  await rm(join(installation.root, PLUGIN, 'settings.ini'))
  await manager.rollback(BLINKY)
  expect(await installation.tree()).toEqual({ [MAIN]: 'one', [`${PLUGIN}/settings.ini`]: 'first' })
})

test('[A-372] links are neither followed nor kept', async () => {
  await using installation = await startInstallation(shopWith(['secret', 'outside']))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  const outside = join(installation.root, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'not yours')
  await symlink(outside, join(installation.root, PLUGIN, 'outside'))
  await symlink(join(outside, 'secret.txt'), join(installation.root, PLUGIN, 'secret.txt'))
  await manager.update(BLINKY)
  expect(await installation.tree()).toEqual({ [MAIN]: 'two', 'outside/secret.txt': 'not yours' })
})

test('[A-372] no kept file is written through a link of the version that comes back', async () => {
  await using installation = await startInstallation(shopWith(['/user/']))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  const outside = join(installation.root, 'outside')
  await mkdir(outside)
  await symlink(outside, join(installation.root, PLUGIN, 'user'))
  await manager.update(BLINKY)
  await installation.write(`${PLUGIN}/user/list.txt`, 'mine')
  const change = await manager.rollback(BLINKY)
  expect(change).toMatchObject({ kept: [], warnings: [expect.stringContaining(`${PLUGIN}/user/list.txt`)] })
  expect(await listFiles(outside, '')).toEqual([])
  expect(await readlink(join(installation.root, PLUGIN, 'user'))).toBe(outside)
})

test('[A-372] where the new version has something else in the place, the new version wins and it is said', async () => {
  const shop = shopWith(['config', 'data'], [], {
    'plugins/config/default.ini': 'new',
    'plugins/data': 'a file',
  })
  await using installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/config`, 'mine')
  await installation.write(`${PLUGIN}/data/mine.txt`, 'mine')
  const { updated } = await manager.update(BLINKY)
  expect(updated[0]).toMatchObject({
    kept: [],
    warnings: [
      expect.stringContaining(`${PLUGIN}/config`),
      expect.stringContaining(`${PLUGIN}/data/mine.txt`),
    ],
  })
  expect(await installation.tree()).toEqual({
    [MAIN]: 'two',
    [`${PLUGIN}/config/default.ini`]: 'new',
    [`${PLUGIN}/data`]: 'a file',
  })
})

test('[A-373] C9: patterns with look-around and back-references keep files, and check knows them', async () => {
  await using installation = await startInstallation(shopWith(['/(?!main)[^/]+\\.py$', '/(\\w+)-\\1\\.txt$']))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  for (const name of ['mine.py', 'one-one.txt', 'one-two.txt'])
    await installation.write(`${PLUGIN}/${name}`, 'mine')
  const { updated } = await manager.update(BLINKY)
  expect(updated[0]).toMatchObject({ warnings: [] })
  expect(updated[0]?.kept.toSorted()).toEqual([`${PLUGIN}/mine.py`, `${PLUGIN}/one-one.txt`])
  expect(await installation.tree()).toMatchObject({ [MAIN]: 'two', [`${PLUGIN}/mine.py`]: 'mine' })
  expect(await manager.check()).toMatchObject([{ isWhole: true, added: [] }])
})

test('[A-373] C9: a pattern that nobody can run, or that takes too long, is skipped with words', async () => {
  const patterns = ['(', 'settings\\.ini$', '^/plugins/com_example_blinky/(?=(a+)+$)']
  await using installation = await startInstallation(shopWith(patterns))
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await installation.write(`${PLUGIN}/settings.ini`, 'mine')
  await installation.write(`${PLUGIN}/${'a'.repeat(60)}!`, 'mine as well')
  const { updated } = await manager.update(BLINKY)
  expect(updated[0]).toMatchObject({
    kept: [`${PLUGIN}/settings.ini`],
    warnings: [
      expect.stringMatching(/skipped: "\(" .*no regular expression.*takes too long.*previous version/),
    ],
  })
})

test('[A-373] what runs away is ended for the file, and all of it together', () => {
  const path = `${'a'.repeat(60)}!`
  const one = createBoundedPatterns(['(?=(a+)+$)', '!$'], { perFileMs: 200 })
  expect(one.matches(path)).toBe(true)
  expect(one.skipped).toEqual([{ pattern: '(?=(a+)+$)', reason: expect.stringContaining('too long') }])
  const spent = createBoundedPatterns(['(?=(a+)+$)', 'z', '!$'], { perFileMs: 50, togetherMs: 20 })
  expect(spent.matches(path)).toBe(false)
  expect(spent.skipped).toHaveLength(3)
})

test('[A-504] patterns that take too long for the files that are there stop the change, and force goes on', () => {
  const slow = openPatterns(BLINKY, ['settings'], { budgetMs: -1 })
  expect(() => slow.keeps('/plugins/x')).toThrow(
    expect.objectContaining({ name: 'InstallFailure', code: 'keep_pattern_unusable', identifier: BLINKY }),
  )
  const forced = openPatterns(BLINKY, ['settings'], { budgetMs: -1, force: true })
  expect(forced.keeps('/plugins/settings')).toBe(false)
  expect(forced.warnings()).toEqual([expect.stringContaining('"settings" (all of them take too long)')])
})
