import { access, readFile, writeFile } from 'node:fs/promises'
import { freePort } from '@patchbay/testkit/ports'
import { expect, test } from 'vitest'
import { createUser, type User } from '../user.ts'
import { storedZip } from './stored-zip.ts'

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`)

/** Begins a package, then writes these patterns into its metadata. */
async function begin(ada: User, own: readonly string[], ofVersion: readonly string[] = []): Promise<void> {
  await ada.run('package', 'init', 'blinky', '--identifier', 'com.example.blinky')
  await writeFile(ada.at('blinky/plugins/main.py'), 'print(1)\n')
  const file = ada.at('blinky/metadata.json')
  const metadata = JSON.parse(await readFile(file, 'utf8')) as { versions: object[] }
  const versions = [{ ...metadata.versions[0], keep_on_update: ofVersion }]
  await writeFile(file, JSON.stringify({ ...metadata, keep_on_update: own, versions }, null, 2))
}

test('[CLI-48] C9: init warns of a pattern that cannot be run safely, and writes it', async () => {
  await using ada = await createUser()
  const { code, stdout } = await ada.run('package', 'init', 'blinky', '--keep-on-update', '(?<=a)b')
  expect(code).toBe(0)
  expect(stdout).toMatch(/warning: cannot be run safely .* \(\/keep_on_update\/0\)\n/)
  expect(await readFile(ada.at('blinky/metadata.json'), 'utf8')).toContain('(?<=a)b')
})

test('[CLI-48] C9: validate and pack warn of it in its place', async () => {
  await using ada = await createUser()
  await begin(ada, ['settings', '(?!x)y'])
  const line =
    /^blinky\/metadata\.json:\d+:\d+: warning: cannot be run safely \(.*\(\?!.* \(\/keep_on_update\/1\)$/m
  for (const words of [
    ['validate', 'blinky/metadata.json'],
    ['validate', 'blinky'],
    ['pack', 'blinky'],
  ]) {
    const { code, stdout } = await ada.run('package', ...words)
    expect([words, code, stdout]).toEqual([words, 0, expect.stringMatching(line)])
  }
  await access(ada.at('com.example.blinky-0.1.0.zip'))
})

test('[CLI-48] lists that are too long only together are told as such', async () => {
  await using ada = await createUser()
  await begin(ada, numbered('own', 60), numbered('version', 41))
  const { code, stdout } = await ada.run('package', 'validate', 'blinky')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /more than 100 patterns, those of the package included\).* \(\/versions\/0\/keep_on_update\/40\)\n/,
  )
})

test('[CLI-48] C9: in an archive that another program made it is told by validate, and publish sends it', async () => {
  await using ada = await createUser()
  await begin(ada, ['(a)\\1'])
  const archive = storedZip({
    'metadata.json': await readFile(ada.at('blinky/metadata.json'), 'utf8'),
    'plugins/main.py': 'print(1)\n',
  })
  await writeFile(ada.at('blinky.zip'), archive)
  expect((await ada.run('package', 'inspect', 'blinky.zip')).code).toBe(0)
  const checked = await ada.run('package', 'validate', 'blinky.zip')
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('(/keep_on_update/0)') })
  // Nobody is there: who is asked is exit code 69.
  const server = { PATCHBAY_API_KEY: 'key_none', PATCHBAY_SERVER_URL: `http://localhost:${await freePort()}` }
  const sent = await ada.runWith(server, 'package', 'publish', 'blinky.zip', '--owner', 'ada')
  expect(sent.code).toBe(69)
})

test('[CLI-48] patterns that keep nothing or everything are warned of', async () => {
  await using ada = await createUser()
  await begin(ada, ['^settings', '.*'])
  const { code, stdout } = await ada.run('package', 'pack', 'blinky')
  expect(code).toBe(0)
  expect(stdout).toContain('Warning: keep_on_update "^settings" keeps nothing: ')
  expect(stdout).toContain('Warning: keep_on_update keeps every file of the package')
})
