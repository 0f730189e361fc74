import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INSTALLED_ONE, openShop } from './blinky.ts'
import { crashAt } from './crash.ts'
import { BLINKY, type Installation, listFiles, startInstallation } from './installation.ts'

async function startWithTwo(): Promise<Installation> {
  const shop = openShop()
  shop.add('com.example.other', '1.0.0', { 'symbols/a.sym': 'a' })
  const installation = await startInstallation(shop)
  const manager = await installation.open()
  await manager.install(BLINKY, { version: '1.0.0' })
  await manager.install(BLINKY, { version: '2.0.0' })
  await manager.install('com.example.other')
  await manager.pin(BLINKY)
  return installation
}

test.each([2 ** 31, 2 ** 53 + 4, 1e300])(
  '[A-501] C8: the epoch %s of an installed version is kept, and what it updates is known',
  async (version_epoch) => {
    const shop = openShop()
    shop.add(BLINKY, '1.5.0', { 'plugins/main.py': 'x' }, { version: { version_epoch } })
    await using installation = await startInstallation(shop)
    await (await installation.open()).install(BLINKY)
    const manager = await installation.open()
    expect(await manager.list()).toMatchObject([{ version: '1.5.0', version_epoch }])
    expect(await manager.update()).toMatchObject({ skipped: [{ reason: 'up_to_date' }] })
    expect(installation.notices).toEqual([])
  },
)

test('[A-390] the state is a file that says its format, and a reader without the lock always finds it whole', async () => {
  await using installation = await startInstallation(openShop())
  const file = join(installation.state, 'installed.json')
  const manager = await installation.open()
  const other = await installation.open()
  const done = new AbortController()
  const seen = new Set<string>()
  const reading = (async () => {
    while (!done.signal.aborted) {
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 1 })
      seen.add((await other.list())[0]?.version ?? 'none')
    }
  })()
  await manager.install(BLINKY, { version: '1.0.0' })
  for (let round = 0; round < 3; round += 1) {
    await manager.install(BLINKY, { version: '2.0.0' })
    await manager.rollback(BLINKY)
  }
  done.abort()
  await reading
  expect([...seen].toSorted()).toEqual(['1.0.0', '2.0.0', 'none'])
})

test.each([
  ['empty', ''],
  ['half', '{"format":1,"packages":{"com.exa'],
  ['zeros', '\0\0\0\0'],
  ['something else', '[]'],
  [
    'an entry that makes no sense',
    '{"format":1,"packages":{"com.example.blinky":{"current":{"number":"../.."}}}}',
  ],
])('[A-391] a state file that is %s is restored from the disk', async (_, text) => {
  await using installation = await startWithTwo()
  const file = join(installation.state, 'installed.json')
  const before = await readFile(file, 'utf8')
  const list = await (await installation.open()).list()
  await writeFile(file, text)
  const manager = await installation.open()
  expect(await readFile(file, 'utf8')).toBe(before)
  expect(await manager.list()).toEqual(list)
  expect(installation.notices).toEqual([expect.stringContaining('was damaged')])
  expect(await readFile(`${file}.damaged`, 'utf8')).toBe(text)
  await manager.rollback(BLINKY)
  expect(await installation.tree()).toMatchObject(INSTALLED_ONE)
})

test('[A-391] a state file that is gone is restored, also under a manager that is at work', async () => {
  await using installation = await startWithTwo()
  const manager = await installation.open()
  const list = await manager.list()
  await rm(join(installation.state, 'installed.json'))
  expect(await manager.list()).toEqual(list)
  expect(installation.notices).toEqual([expect.stringContaining('was missing')])
})

test('[A-391] a state file that is damaged while a switch is under way is restored after the switch', async () => {
  for (const [wanted, operation] of [
    ['tree moved', 'update'],
    ['state written', 'remove'],
    ['journal written', 'rollback'],
    ['staged', 'update'],
  ] as const) {
    await using installation = await startInstallation(openShop())
    const manager = await installation.open()
    await manager.install(BLINKY, { version: '1.0.0' })
    if (operation === 'rollback') await manager.update(BLINKY)
    expect(await crashAt(installation, wanted, (other) => other[operation](BLINKY))).toBe(true)
    await writeFile(join(installation.state, 'installed.json'), 'damaged')
    const [found] = await (await installation.open()).list()
    const expected = { update: wanted === 'staged' ? '1.0.0' : '2.0.0', remove: undefined, rollback: '1.0.0' }
    expect(found?.version).toBe(expected[operation])
    const [main] = Object.entries(await installation.tree()).filter(([path]) => path.endsWith('main.py'))
    expect(main?.[1]).toBe(found && { '1.0.0': 'one', '2.0.0': 'two' }[found.version])
  }
})

test('[A-391] what cannot be restored is refused with advice, and nothing is deleted', async () => {
  await using installation = await startWithTwo()
  await writeFile(join(installation.state, 'installed.json'), 'damaged')
  await writeFile(join(installation.state, 'packages/com_example_other/1/manifest.json'), 'damaged')
  const before = await listFiles(installation.root, '')
  await expect(installation.open()).rejects.toMatchObject({
    code: 'state_damaged',
    message: expect.stringMatching(/com_example_other.*install the package again/),
  })
  expect(await listFiles(installation.root, '')).toEqual(before)
})

test.each(['../../evil', 'nul', ''])(
  '[A-391] a state that holds the identifier %j is damaged',
  async (identifier) => {
    await using installation = await startWithTwo()
    const file = join(installation.state, 'installed.json')
    const { format, packages } = JSON.parse(await readFile(file, 'utf8'))
    const changed = { ...packages, [identifier]: packages[BLINKY] }
    await writeFile(file, JSON.stringify({ format, packages: changed }))
    const manager = await installation.open()
    expect((await manager.list()).map((each) => each.identifier)).toEqual([BLINKY, 'com.example.other'])
    expect(installation.notices.at(-1)).toContain('was damaged')
  },
)

test('[A-391] a state file of a newer version is left alone', async () => {
  await using installation = await startWithTwo()
  await writeFile(join(installation.state, 'installed.json'), '{"format":2,"packages":{}}')
  const before = await listFiles(installation.root, '')
  await expect(installation.open()).rejects.toMatchObject({ code: 'state_too_new' })
  expect(await listFiles(installation.root, '')).toEqual(before)
})

test.each([
  ['no JSON', 'damaged'],
  ['an identifier that leads elsewhere', '{"format":1,"identifier":"../../x","taken":["plugins"]}'],
  ['a folder that leads elsewhere', '{"format":1,"identifier":"com.example.blinky","taken":["../plugins"]}'],
])('[A-392] a journal that holds %s is refused with advice', async (_, text) => {
  await using installation = await startWithTwo()
  const journal = join(installation.state, 'journal.json')
  await writeFile(journal, text)
  const before = await listFiles(installation.root, '')
  await expect(installation.open()).rejects.toMatchObject({
    code: 'state_damaged',
    message: expect.stringContaining(journal),
  })
  expect(await listFiles(installation.root, '')).toEqual(before)
  await rm(journal)
  expect(await (await installation.open()).list()).toHaveLength(2)
})
