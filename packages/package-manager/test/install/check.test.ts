import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InstallFailure } from '../../src/install/install-failure.ts'
import { openShop } from './blinky.ts'
import { BLINKY, PLUGIN, startInstallation } from './installation.ts'

test('[A-395] check names what is missing, changed or added; kept files are no fault', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  expect(await manager.check(BLINKY)).toEqual([
    {
      identifier: BLINKY,
      version: '1.0.0',
      isWhole: true,
      missing: [],
      changed: [],
      added: [],
      isUnknown: false,
    },
  ])
  await installation.write(`${PLUGIN}/settings.ini`, 'mine')
  await installation.write(`${PLUGIN}/notes.txt`, 'added')
  expect(await manager.check(BLINKY)).toMatchObject([{ isWhole: true, added: [`${PLUGIN}/notes.txt`] }])
  await installation.write(`${PLUGIN}/main.py`, 'ONE')
  await rm(join(installation.root, 'resources/com_example_blinky/icon.txt'))
  await symlink('/etc/hostname', join(installation.root, 'resources/com_example_blinky/icon.txt'))
  expect(await manager.check()).toMatchObject([
    {
      isWhole: false,
      changed: [`${PLUGIN}/main.py`],
      missing: ['resources/com_example_blinky/icon.txt'],
      added: [`${PLUGIN}/notes.txt`],
    },
  ])
})

test('[A-395] without its record a package is not called whole', async () => {
  await using installation = await startInstallation(openShop())
  const manager = await installation.open()
  await manager.install(BLINKY)
  await rm(join(installation.state, 'packages/com_example_blinky/1/manifest.json'))
  expect(await manager.check()).toMatchObject([{ isWhole: false, isUnknown: true }])
  await manager.install(BLINKY, { force: true })
  expect(await manager.check()).toMatchObject([{ isWhole: true, isUnknown: false }])
  await expect(manager.rollback(BLINKY)).rejects.toMatchObject({ code: 'no_previous' })
})

test.each(['../../etc', 'com/example', '', 'com.example.x/..', 'com\0x', '.hidden', 'a'])(
  '[A-396] %j is refused as an identifier before it becomes a path',
  async (identifier) => {
    await using installation = await startInstallation(openShop())
    const manager = await installation.open()
    await expect(manager.install(identifier)).rejects.toMatchObject({ code: 'bad_identifier' })
  },
)

test('[A-396] what the file system says is put into words', async () => {
  await using installation = await startInstallation(openShop())
  await rm(installation.root, { recursive: true })
  await writeFile(installation.root, 'a file in the place of the root')
  const failure: unknown = await installation.open().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(InstallFailure)
  expect(failure).toMatchObject({
    code: 'folder_in_the_way',
    message: expect.stringContaining(installation.root),
  })
  await rm(installation.root)
  await mkdir(installation.root)
})
