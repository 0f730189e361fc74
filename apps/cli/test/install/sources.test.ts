import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startBusyServer } from '../busy-server.ts'
import { build, buildShop, releaseNext } from '../repo/shop.ts'
import { createUser, type User } from '../user.ts'
import { startRecordingServer } from './recording-server.ts'

const BLINKY = 'com.example.blinky'
const FILE = '.config/patchbay/sources.json'

async function signedShop(): Promise<User> {
  const ada = await createUser()
  await ada.run('repo', 'keys', 'create', 'keys')
  await ada.run('repo', 'trust', 'init', 'keys')
  await buildShop(ada, '--keys', 'keys')
  return ada
}

test('[CLI-64] search finds by words and filters, in repositories by their lists', async () => {
  await using ada = await createUser()
  await ada.run(
    'package',
    'init',
    'packages/dark',
    '--type',
    'colortheme',
    '--name',
    'Midnight',
    '--status',
    'stable',
  )
  await buildShop(ada)
  const found = async (...args: string[]) => {
    const { packages } = await ada.json<{ packages: { identifier: string }[] }>(
      'search',
      '--repo',
      'public',
      ...args,
    )
    return packages.map(({ identifier }) => identifier)
  }
  expect(await found()).toEqual(expect.arrayContaining(['com.example.dark', BLINKY]))
  expect(await found('MIDNIGHT')).toEqual(['com.example.dark'])
  expect(await found('--type', 'plugin')).toEqual([BLINKY])
  expect(await found('--tool-version', '7.0')).toEqual([])
  expect(await found('--status', 'testing')).toEqual([])
  expect(await found('--platform', 'macos', 'blin')).toEqual([BLINKY])
  const none = await ada.run('search', '--repo', 'public', 'nothing', 'like', 'this')
  expect(none).toMatchObject({ code: 0, stdout: 'Nothing was found. Try fewer words, or fewer filters.\n' })
})

test('[CLI-64] R3: a filtered search shows the version that would be installed', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await releaseNext(ada, '0.1.0', '0.2.0')
  const file = ada.at('packages/blinky/metadata.json')
  const metadata = JSON.parse(await readFile(file, 'utf8'))
  Object.assign(metadata.versions[0], { status: 'testing', platforms: ['macos'], tool_version: '9.0' })
  await writeFile(file, JSON.stringify(metadata))
  await build(ada)
  const shown = async (...args: string[]) => {
    const { packages } = await ada.json<{ packages: object[] }>('search', '--repo', 'public', ...args)
    return packages
  }
  expect(await shown('--status', 'testing')).toMatchObject([{ version: '0.2.0', status: 'testing' }])
  expect(await shown('--platform', 'macos')).toMatchObject([{ version: '0.1.0', status: 'stable' }])
  expect(await shown('--tool-version', '8.0')).toMatchObject([{ version: '0.1.0' }])
})

test('[CLI-183] a package that the first source has in quarantine is not taken from the next one, and the reason is told', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await using first = await startRecordingServer()
  const body = JSON.stringify({ status: 451, code: 'package_quarantined', reason: 'Steals keys' })
  first.files.set(`/registry/sparse/tool/${BLINKY}.json`, {
    status: 451,
    type: 'application/problem+json',
    body,
  })
  await ada.run('source', 'add', first.url, '--name', 'first', '--no-check')
  await ada.run('source', 'add', 'public', '--name', 'shop')
  const { code, stderr } = await ada.run('install', BLINKY, '--root', 'root')
  expect(code).not.toBe(0)
  expect(stderr).toContain('Steals keys')
  await expect(stat(ada.at('root/plugins'))).rejects.toThrow('ENOENT')
})

test('[CLI-64] a source of several that does not answer is named, and the others are shown', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await using busy = await startBusyServer()
  await ada.run('source', 'add', `${busy.url}/repository.json`, '--name', 'away', '--no-check')
  await ada.run('source', 'add', 'public', '--name', 'shop')
  const { code, stdout, stderr } = await ada.run('search', 'blinky')
  expect(code).toBe(69)
  expect(stdout).toContain(BLINKY)
  expect(stderr).toMatch(/^away was left out: /m)
})

test('[CLI-65] sources are kept for this user alone, and without secrets', async () => {
  await using ada = await createUser({ SHOP_KEY: 'key_very-secret' })
  await buildShop(ada)
  expect(
    (await ada.run('source', 'add', 'public', '--name', 'shop', '--api-key-variable', 'SHOP_KEY')).code,
  ).toBe(0)
  expect((await stat(ada.at(FILE))).mode & 0o777).toBe(0o600)
  expect(await readFile(ada.at(FILE), 'utf8')).not.toContain('very-secret')
  expect((await ada.run('source', 'list')).stdout).toMatch(
    /^shop {2}repository {2}file:.* {2}key in SHOP_KEY\n$/,
  )
  expect((await ada.run('source', 'add', 'public')).stderr).toContain('is one of your sources already')
  const keyless = await ada.runWith({ SHOP_KEY: '' }, 'search', 'blinky')
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('needs the API key in SHOP_KEY') })
  expect((await ada.run('source', 'remove', 'shop')).code).toBe(0)
  expect((await ada.run('source', 'list')).stdout).toMatch(
    /^No sources are configured: packages come from http/,
  )
})

test('[CLI-65] an address that does not answer is not added unless told so', async () => {
  await using ada = await createUser()
  await using busy = await startBusyServer()
  const url = `${busy.url}/repository.json`
  expect((await ada.run('source', 'add', url)).code).toBe(69)
  expect((await ada.run('source', 'add', 'ftp://example.com')).code).toBe(2)
  expect((await ada.run('source', 'add', 'no-such-folder')).code).toBe(1)
  expect((await ada.json<{ sources: unknown[] }>('source', 'list')).sources).toEqual([])
  expect((await ada.run('source', 'add', url, '--no-check')).code).toBe(0)
  await writeFile(ada.at(FILE), '{"version": 1, "sources": "all"}')
  const damaged = await ada.run('source', 'list')
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('is not what was written there') })
})

test('[CLI-66] with a root only what is signed is installed, and the copy of it counts', async () => {
  await using ada = await signedShop()
  await ada.run('source', 'add', 'public', '--name', 'shop', '--trust-root', 'keys/trust/1.root.json')
  await rm(ada.at('keys/trust'), { recursive: true })
  expect((await ada.run('install', BLINKY)).code).toBe(0)
  await releaseNext(ada, '0.1.0', '0.2.0')
  // As whoever took over the web server could: a new list, without new signatures.
  await build(ada)
  expect((await ada.run('update')).stdout).toBe('1 package up to date.\n')
  await rm(ada.at('.cache'), { recursive: true })
  const { code, stdout } = await ada.run('update')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^NOT updated: com\.example\.blinky: .*sha256 is [a-f0-9]{64}, expected is/)
  expect((await ada.run('list')).stdout).toContain('0.1.0')
})

test('[CLI-66] what is no root is refused, and so is the root of somebody else', async () => {
  await using ada = await signedShop()
  await writeFile(ada.at('bad.json'), '{}')
  const bad = await ada.run('source', 'add', 'public', '--trust-root', 'bad.json')
  expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a root') })
  await ada.run('repo', 'keys', 'create', 'others')
  await ada.run('repo', 'trust', 'init', 'others')
  const other = await ada.run('source', 'add', 'public', '--trust-root', 'others/trust/1.root.json')
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/signatures of the repository do not hold/),
  })
})

test('[CLI-67] while a source that comes first is silent, nothing comes from one after it', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await using busy = await startBusyServer()
  await ada.run('source', 'add', `${busy.url}/repository.json`, '--name', 'away', '--no-check')
  await ada.run('source', 'add', 'public', '--name', 'shop')
  const { code, stderr } = await ada.run('install', BLINKY)
  expect(code).toBe(69)
  expect(stderr).toMatch(/A repository that comes first did not answer .*--server or --repo/)
  expect((await ada.run('install', BLINKY, '--repo', 'public')).code).toBe(0)
})

test('[CLI-68] target remembers folder, tool version, platform and runtime', async () => {
  await using ada = await createUser()
  expect((await ada.run('source', 'target')).stdout).toContain('not known: the newest packages are taken')
  await ada.run('source', 'target', '--root', 'third', '--tool-version', '9.0', '--platform', 'macos')
  expect((await ada.run('source', 'target')).stdout).toMatch(/runtime +swig, ipc, as the tool version has\n/)
  await ada.run('source', 'target', '--tool-version', '9.1', '--runtime', 'ipc')
  const target = await ada.json<object>('source', 'target')
  expect(target).toEqual({ root: ada.at('third'), tool_version: '9.1', platform: 'macos', runtime: 'ipc' })
  expect((await ada.run('source', 'target', '--tool-version', 'nine')).code).toBe(2)
  await ada.run('source', 'target', '--forget')
  expect(await ada.json<object>('source', 'target')).toMatchObject({ tool_version: null })
})
