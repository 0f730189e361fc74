import { writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { buildArgs, buildShop } from './repo/shop.ts'
import { createUser } from './user.ts'

test('[CLI-80] with --json every command prints one document, and nothing else there', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  const address = `file://${ada.at('public/repository.json')}`
  for (const args of [
    ['package', 'init', 'other'],
    ['package', 'validate', 'packages/blinky', 'public/repository.json'],
    ['package', 'pack', 'packages/blinky', '--out', 'blinky.zip'],
    ['package', 'inspect', 'blinky.zip'],
    buildArgs(ada),
    ['repo', 'verify', 'public'],
    ['repo', 'verify-live', address],
    ['repo', 'keys', 'create', 'keys'],
    ['repo', 'keys', 'show', 'keys'],
    ['repo', 'trust', 'init', 'keys'],
    ['repo', 'trust', 'rotate', 'keys'],
    ['repo', 'trust', 'show', 'keys/trust'],
    ['source', 'add', 'public', '--name', 'shop'],
    ['source', 'list'],
    ['source', 'target', '--tool-version', '9.0'],
    ['search', 'blinky'],
    ['install', 'com.example.blinky'],
    ['list'],
    ['list', '--outdated'],
    ['pin', 'com.example.blinky'],
    ['unpin', 'com.example.blinky'],
    ['update'],
    ['install', 'com.example.blinky', '--force'],
    ['rollback', 'com.example.blinky'],
    ['remove', 'com.example.blinky'],
    ['source', 'remove', 'shop'],
  ]) {
    const { code, stdout } = await ada.run(...args, '--json')
    expect({ args, code }).toEqual({ args, code: 0 })
    expect(typeof JSON.parse(stdout)).toBe('object')
  }
})

deepTest('[CLI-80] a failure is a document as well, from a process too', async () => {
  await using ada = await createUser()
  await writeFile(ada.at('bad.json'), '{"license": "MTI"}')
  for (const [args, exitCode, code] of [
    [['package', 'inspect', 'nowhere.zip'], 1, 'enoent'],
    [['remove', 'com.example.blinky'], 1, 'not_installed'],
    [['package', 'publish', '.', '--server', 'http://localhost:1'], 1, 'sign_in_required'],
  ] as const) {
    const ended = await ada.start(...args, '--json').ended
    expect(ended.code).toBe(exitCode)
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code, message: expect.any(String) } })
  }
  const invalid = await ada.run('package', 'validate', 'bad.json', '--json')
  expect(invalid.code).toBe(1)
  expect(JSON.parse(invalid.stdout)).toMatchObject({ is_valid: false })
})

test('[CLI-85] help groups the commands and stays within 68 lines of 80 characters', async () => {
  await using ada = await createUser()
  const { stdout } = await ada.start('--help').ended
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(68)
  expect(lines.filter((line) => /^[A-Z].*:$/.test(line))).toEqual([
    'Options:',
    'Getting started:',
    'Packages:',
    'For authors and hosts of packages:',
    'Workspaces:',
    'Screenshots and agents:',
    'Your account:',
    'For operators:',
    'Reference:',
    'Examples:',
  ])
})
