import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createUser } from '../user.ts'

test('[CLI-40] init writes valid metadata, folders, an icon of 64 × 64 and a README of five lines', async () => {
  await using ada = await createUser({ USER: 'ada' })
  const { code, stdout, stderr } = await ada.run('package', 'init', 'blinky')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Began com\.example\.blinky in .*\n[\s\S]*Next: edit metadata\.json/)
  expect((await readdir(ada.at('blinky'))).toSorted()).toEqual([
    'README.md',
    'metadata.json',
    'plugins',
    'resources',
  ])
  const icon = await readFile(ada.at('blinky/resources/icon.png'))
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([64, 64])
  expect((await readFile(ada.at('blinky/README.md'), 'utf8')).trimEnd().split('\n')).toHaveLength(5)
  expect(await ada.run('package', 'validate', 'blinky')).toMatchObject({
    code: 0,
    stdout: 'blinky is valid: a package folder.\n',
  })
})

test('[CLI-40] every field has an option', async () => {
  await using ada = await createUser()
  const { code } = await ada.run(
    'package',
    'init',
    'theme',
    '--identifier',
    'org.example.dark',
    '--name',
    'Dark',
    '--type',
    'colortheme',
    '--description',
    'Dark colors',
    '--description-full',
    'All dark',
    '--category',
    'look',
    '--author',
    'Ada',
    '--contact',
    'web=https://example.com',
    '--license',
    'CC0-1.0',
    '--resource',
    'homepage=https://example.com/dark',
    '--tag',
    'dark',
    'colors',

    '--package-version',
    '1.2',
    '--status',
    'stable',
    '--tool-version',
    '7.0',
    '--tool-version-max',
    '9.0',
    '--keep-on-update',
    'config\\.ini$',
    '--tool-brand',
    'kicad',
  )
  expect(code).toBe(0)
  expect(JSON.parse(await readFile(ada.at('theme/metadata.json'), 'utf8'))).toEqual({
    name: 'Dark',
    description: 'Dark colors',
    description_full: 'All dark',
    identifier: 'org.example.dark',
    type: 'colortheme',
    category: 'look',
    author: { name: 'Ada', contact: { web: 'https://example.com' } },
    license: 'CC0-1.0',
    resources: { homepage: 'https://example.com/dark' },
    tags: ['dark', 'colors'],
    keep_on_update: ['config\\.ini$'],
    versions: [{ version: '1.2', status: 'stable', kicad_version: '7.0', kicad_version_max: '9.0' }],
  })
  expect(await readdir(ada.at('theme'))).toContain('colors')
})

test('[CLI-40] nothing is overwritten', async () => {
  await using ada = await createUser()
  await mkdir(ada.at('mine'))
  await writeFile(ada.at('mine/README.md'), 'mine')
  const { code, stderr } = await ada.run('package', 'init', 'mine')
  expect(code).toBe(1)
  expect(stderr).toMatch(/README\.md is there already, and nothing is overwritten\.\nName another folder/)
  expect(await readdir(ada.at('mine'))).toEqual(['README.md'])
})

test.each([
  [['--license', 'MTI'], /"MTI" is not on the list of licenses: write "MIT"/],
  [['--identifier', '1bad'], /\/identifier/],
  [['--contact', 'nothing'], /--contact takes key=value/],
  [['--type', 'plugins'], /Allowed choices are plugin, library, colortheme/],
])('[CLI-40] %j is refused with 2, and nothing is written', async (options, words) => {
  await using ada = await createUser()
  const { code, stdout, stderr } = await ada.run('package', 'init', 'blinky', ...options)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(words)
  expect(await readdir(ada.home)).toEqual([])
})

test('[CLI-40] what it and the README advise works as it is, in the dialect that was chosen', async () => {
  await using ada = await createUser()
  const { stdout } = await ada.run('package', 'init', 'blinky', '--tool-brand', 'kicad')
  const advised = /run "patchbay ([^"]+)"/.exec(stdout)?.[1] ?? ''
  expect(await ada.run(...advised.split(' '))).toMatchObject({ code: 0, stderr: '' })
  const readme = await readFile(ada.at('blinky/README.md'), 'utf8')
  expect(readme.match(/`patchbay package (validate|publish) \. --tool-brand kicad`/g)).toHaveLength(2)
})
