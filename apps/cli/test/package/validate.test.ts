import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { writeSampleRepositories } from '@patchbay/testkit/sample-repositories'
import { expect } from 'vitest'
import { createUser, type User } from '../user.ts'

async function begin(ada: User): Promise<string> {
  await ada.run('package', 'init', 'blinky', '--tool-brand', 'kicad')
  return await readFile(ada.at('blinky/metadata.json'), 'utf8')
}

test('[CLI-41] each finding has file, line, column, message and pointer; a summary is last', async () => {
  await using ada = await createUser()
  const text = (await begin(ada)).replace('"MIT"', '"MTI"').replace('"plugin"', '"plugn"')
  await writeFile(ada.at('bad.json'), text)
  const { code, stdout } = await ada.run('package', 'validate', '--tool-brand', 'kicad', 'bad.json')
  expect(code).toBe(1)
  expect(stdout.split('\n')).toEqual([
    'bad.json:6:11: must be one of plugin, library, colortheme; found "plugn" (/type)',
    'bad.json:11:14: "MTI" is not on the list of licenses: write "MIT" (/license)',
    'bad.json is not valid: a package; 2 errors.',
    '',
  ])
})

test('[CLI-41] a list is judged package by package, a repository as such, and all of several files', async () => {
  await using ada = await createUser()
  const good = JSON.parse(await begin(ada)) as Record<string, unknown>
  const list = { packages: [good, { ...good, identifier: 'com.example.other', license: 'none' }] }
  await writeFile(ada.at('packages.json'), JSON.stringify(list))
  const repository = {
    name: 'Mine',
    packages: { url: 'https://example.com/packages.json', update_timestamp: 1 },
  }
  await writeFile(ada.at('repository.json'), JSON.stringify(repository))
  const both = await ada.run(
    'package',
    'validate',
    '--tool-brand',
    'kicad',
    'repository.json',
    'packages.json',
  )
  expect(both.code).toBe(1)
  expect(both.stdout).toContain('repository.json is valid: a repository.\n')
  expect(both.stdout).toContain(
    'packages.json is not valid: a list of packages with 2 packages, 1 of them invalid; 1 error.\n',
  )
})

deepTest('[CLI-41] standard input, folders and archives are taken as well', async () => {
  await using ada = await createUser()
  const text = await begin(ada)
  const input = await ada.startWith(text.slice(0, -5), 'package', 'validate', '--tool-brand', 'kicad', '-')
    .ended
  expect(input.code).toBe(1)
  expect(input.stdout).toMatch(/^<stdin>:\d+:\d+: .*\nStandard input is not valid/)
  await ada.run('package', 'pack', 'blinky', '--out', 'blinky.zip')
  const archive = await ada.run('package', 'validate', '--tool-brand', 'kicad', 'blinky.zip')
  expect(archive).toMatchObject({ code: 0, stdout: 'blinky.zip is valid: an archive.\n' })
  await writeFile(ada.at('blinky/metadata.json'), text.replace('"MIT"', '"MTI"'))
  const folder = await ada.run('package', 'validate', '--tool-brand', 'kicad', 'blinky')
  expect(folder.code).toBe(1)
  expect(folder.stdout).toMatch(/^blinky\/metadata\.json:11:14: "MTI"/)
  await writeFile(ada.at('broken.zip'), 'PK but no zip')
  expect((await ada.run('package', 'validate', 'broken.zip')).stdout).toMatch(
    /^broken\.zip: This is not a zip/,
  )
})

test('[CLI-42] a wrong dialect is told with the right one', async () => {
  await using ada = await createUser()
  await begin(ada)
  const { code, stdout } = await ada.run('package', 'validate', 'blinky/metadata.json')
  expect(code).toBe(1)
  expect(stdout).toContain('read it with --tool-brand kicad')
  const wrong = await ada.run('package', 'validate', '--tool-brand', 'Ki Cad', 'blinky')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('a word of small letters') })
})

test('[CLI-42] --urls compat reads addresses as existing tools do', async () => {
  await using ada = await createUser()
  const repository = { name: 'Mine', packages: { url: 'http://ab c', update_timestamp: 1 } }
  await writeFile(ada.at('repository.json'), JSON.stringify(repository))
  expect((await ada.run('package', 'validate', 'repository.json')).code).toBe(1)
  expect((await ada.run('package', 'validate', '--urls', 'compat', 'repository.json')).code).toBe(0)
})

const REAL = fileURLToPath(new URL('../../../../../shared/data/pcm/', import.meta.url))

/** The exit code, how many files there were, and how many of them were said to be valid. */
async function judge(ada: User, folder: string, names: readonly string[]) {
  const files = names.flatMap((name) => [
    join(folder, name, 'packages.json'),
    join(folder, name, 'repository.json'),
  ])
  const flags = ['--tool-brand', 'kicad', '--urls', 'compat']
  const { code, stdout } = await ada.run('package', 'validate', ...flags, ...files)
  return [code, files.length, stdout.match(/is valid/g)?.length]
}

test('[CLI-41] repositories with the oddities of public ones are judged', async () => {
  await using ada = await createUser()
  await writeSampleRepositories(ada.at('wild'), (names) => Buffer.from(names.join()))
  expect(await judge(ada, ada.at('wild'), await readdir(ada.at('wild')))).toEqual([0, 12, 12])
})

const PUBLIC = existsSync(REAL) ? ['Huaqiu-Electronics_kicad-adds-on-spider', 'partreel'] : []

deepTest.each(PUBLIC)('[CLI-41] a public repository is judged: %s', async (name) => {
  await using ada = await createUser()
  expect(await judge(ada, REAL, [name])).toEqual([0, 2, 2])
})
