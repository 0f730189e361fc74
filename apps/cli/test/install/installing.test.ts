import { readdir, readFile, writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { build, buildShop, releaseNext } from '../repo/shop.ts'
import { createUser, NO_STACK, type User } from '../user.ts'

const BLINKY = 'com.example.blinky'

async function shopUser(): Promise<User> {
  const ada = await createUser()
  await buildShop(ada)
  await ada.run('source', 'add', 'public', '--name', 'shop')
  return ada
}

deepTest('[CLI-60] install takes the newest that runs, and says where it went', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  const { code, stdout } = await ada.run('install', BLINKY, '--repo', 'public')
  const root = ada.at('.local/share/patchbay/3rdparty')
  expect(code).toBe(0)
  expect(stdout).toBe(
    `Installed ${BLINKY} 0.1.0 into ${root}.\nIt needs tool version 8.0 or newer. Yours is not known here; say it once with "patchbay source target --tool-version X".\n`,
  )
  expect(await readFile(`${root}/plugins/com_example_blinky/main.py`, 'utf8')).toBe('print(1)\n')
  expect((await ada.run('install', BLINKY, '--repo', 'public')).stdout).toContain('Nothing was changed.')
})

test('[CLI-60] the folder and the tool can be named, and what does not run is refused with the reason', async () => {
  await using ada = await shopUser()
  const old = await ada.run('install', BLINKY, '--root', 'third', '--tool-version', '7.0')
  expect(old).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('needs tool version 8.0 or newer'),
  })
  expect((await ada.run('install', `${BLINKY}@0.1.0`, '--root', 'third', '--tool-version', '9.0')).code).toBe(
    0,
  )
  expect(await readdir(ada.at('third/plugins'))).toEqual(['com_example_blinky'])
  const none = await ada.run('install', `${BLINKY}@7`, '--root', 'other')
  expect(none).toMatchObject({ code: 1, stderr: `${BLINKY} has no version 7; offered: 0.1.0.\n` })
  expect((await ada.run('install', `${BLINKY}@`)).code).toBe(2)
})

/** 0.1.0 for swig, and 0.2.0 for ipc. */
async function releaseForIpc(ada: User): Promise<void> {
  await releaseNext(ada, '0.1.0', '0.2.0')
  const file = ada.at('packages/blinky/metadata.json')
  const metadata = JSON.parse(await readFile(file, 'utf8'))
  metadata.versions[0].runtime = 'ipc'
  await writeFile(file, JSON.stringify(metadata))
  await build(ada)
}

test('[CLI-181] F11: info shows what a package is, its versions and what they run on, and how to install it', async () => {
  await using ada = await shopUser()
  await releaseForIpc(ada)
  const { code, stdout } = await ada.run('info', BLINKY, '--tool-version', '8.0')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Blinky {2}com\.example\.blinky 0\.1\.0\n/)
  expect(stdout).toMatch(/license +MIT\n/)
  expect(stdout).toMatch(/source +Shop\n/)
  expect(stdout).toMatch(
    /0\.2\.0 +stable +tool 8\.0 or newer +all platforms +ipc .*not here: needs the runtime ipc/,
  )
  expect(stdout).toMatch(/0\.1\.0 +stable +tool 8\.0 or newer +all platforms +swig/)
  expect(stdout).toMatch(/Install\n {2}patchbay install com\.example\.blinky\n$/)
  expect((await ada.run('view', BLINKY, '--tool-version', '8.0')).stdout).toBe(stdout)
})

test('[CLI-181] F11: for programs it is one document; one version can be named, and the nearest is told', async () => {
  await using ada = await shopUser()
  await releaseForIpc(ada)
  expect(await ada.json('info', BLINKY)).toMatchObject({
    identifier: BLINKY,
    license: 'MIT',
    page: null,
    would_install: '0.2.0',
    install_command: `patchbay install ${BLINKY}`,
    versions: [
      { version: '0.2.0', status: 'stable', is_compatible: true, incompatibilities: [] },
      { version: '0.1.0', status: 'stable', is_compatible: true },
    ],
  })
  expect(await ada.json('info', `${BLINKY}@0.1.0`, '--repo', 'public')).toMatchObject({
    would_install: '0.1.0',
    install_command: `patchbay install ${BLINKY}@0.1.0 --repo public`,
    versions: [{ version: '0.1.0' }],
  })
  const none = await ada.run('info', `${BLINKY}@7`)
  expect(none).toMatchObject({ code: 1, stderr: `${BLINKY} has no version 7; offered: 0.2.0, 0.1.0.\n` })
  const slip = await ada.run('info', 'com.example.blinki')
  expect(slip).toMatchObject({ code: 1, stderr: expect.stringContaining(`Did you mean ${BLINKY}?`) })
})

test('[CLI-140] C8: a plugin is taken for the runtime that the tool has, or for the one that is named', async () => {
  await using ada = await shopUser()
  await releaseForIpc(ada)
  const install = (root: string, ...words: string[]) =>
    ada.json<{ to: string }>('install', BLINKY, '--root', root, ...words)
  expect(await install('a', '--tool-version', '8.0')).toMatchObject({ to: '0.1.0' })
  expect(await install('b', '--tool-version', '9.0')).toMatchObject({ to: '0.2.0' })
  expect(await install('c', '--tool-version', '9.0', '--runtime', 'swig')).toMatchObject({ to: '0.1.0' })
  expect(await install('d')).toMatchObject({ to: '0.2.0' })
  const outdated = await ada.run('list', '--outdated', '--root', 'a', '--tool-version', '8.0')
  expect(outdated.stdout).toContain('up to date')
  const refused = await ada.run('install', `${BLINKY}@0.2.0`, '--root', 'e', '--tool-version', '8.0')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('needs the runtime ipc') })
  const found = await ada.json<{ packages: object[] }>('search', '--runtime', 'swig', '--tool-version', '8.0')
  expect(found.packages).toMatchObject([{ version: '0.1.0' }])
}, 60_000)

test('[CLI-140] C8: of a version that a list has once per platform, the one for this platform is installed', async () => {
  await using ada = await shopUser()
  const [index, list] = [ada.at('public/repository.json'), ada.at('public/packages.json')]
  const repository = JSON.parse(await readFile(index, 'utf8'))
  delete repository.packages.sha256
  await writeFile(index, JSON.stringify(repository))
  const { packages } = JSON.parse(await readFile(list, 'utf8'))
  const [only] = packages[0].versions
  const other = { ...only, download_sha256: '0'.repeat(64), tool_version: '7.0' }
  packages[0].versions = [
    { ...other, platforms: ['windows'] },
    { ...only, platforms: ['linux'] },
    { ...other, platforms: ['macos'] },
  ]
  await writeFile(list, JSON.stringify({ packages }))
  const named = await ada.run(
    'install',
    `${BLINKY}@0.1.0`,
    '--repo',
    'public',
    '--root',
    'a',
    '--platform',
    'linux',
  )
  expect(named).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('It needs tool version 8.0 or newer.'),
  })
})

test('[CLI-61] update keeps settings; [CLI-62] pin, rollback and remove do what they say', async () => {
  await using ada = await createUser()
  const metadata = [
    'package',
    'init',
    'packages/blinky',
    '--status',
    'stable',
    '--keep-on-update',
    'settings\\.ini$',
  ]
  await ada.run(...metadata)
  await writeFile(ada.at('packages/blinky/plugins/settings.ini'), 'as shipped')
  await build(ada)
  await ada.run('source', 'add', 'public', '--name', 'shop')
  await ada.run('source', 'target', '--root', 'third', '--tool-version', '9.0')
  await ada.run('install', BLINKY)
  const settings = ada.at('third/plugins/com_example_blinky/settings.ini')
  await writeFile(settings, 'as I like it')
  await releaseNext(ada, '0.1.0', '0.2.0')
  await build(ada)
  expect((await ada.run('list', '--outdated')).stdout).toMatch(/com\.example\.blinky +0\.1\.0 → 0\.2\.0\n/)
  expect((await ada.run('pin', BLINKY)).stdout).toBe(`${BLINKY} stays at 0.1.0: updates leave it alone.\n`)
  expect((await ada.run('update')).stdout).toContain('is pinned to 0.1.0')
  expect(await ada.run('update', BLINKY)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('unpin it first'),
  })
  await ada.run('unpin', BLINKY)
  const { code, stdout } = await ada.run('update')
  expect(code).toBe(0)
  expect(stdout).toBe(`${BLINKY} went from 0.1.0 to 0.2.0.\n  kept plugins/com_example_blinky/settings.ini\n`)
  expect(await readFile(settings, 'utf8')).toBe('as I like it')
  expect((await ada.run('rollback', BLINKY)).stdout).toContain('is back at 0.1.0, from 0.2.0')
  expect(await readFile(settings, 'utf8')).toBe('as I like it')
  expect((await ada.run('remove', BLINKY)).stdout).toBe(`Removed ${BLINKY} 0.1.0.\n`)
  expect(await readdir(ada.at('third/plugins'))).toEqual([])
}, 60_000)

test('[CLI-141] R2: deprecated versions are told by install, update and list, and no update goes to one', async () => {
  await using ada = await shopUser()
  await ada.run('install', BLINKY)
  const file = ada.at('packages/blinky/metadata.json')
  const asStable = await readFile(file, 'utf8')
  const deprecate = async (text: string) => {
    await writeFile(file, text.replace('"stable"', '"deprecated"'))
    await build(ada, '--allow-replaced')
  }
  await deprecate(asStable)
  expect((await ada.run('list')).stdout).not.toContain('deprecated')
  expect((await ada.run('list', '--outdated')).stdout).toContain(`${BLINKY} 0.1.0 is deprecated: `)
  const left = await ada.run('update')
  expect(left).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Left alone: .* 0\.1\.0 is deprecated, and/),
  })
  expect((await ada.run('list')).stdout).toMatch(/ 0\.1\.0 +deprecated .*\n.*\nAuthors advise against/)
  expect(await ada.json<object>('list')).toMatchObject({ packages: [{ is_deprecated: true }] })
  await releaseNext(ada, '0.1.0', '0.2.0')
  await deprecate(await readFile(file, 'utf8'))
  expect((await ada.json<{ updated: object[] }>('update')).updated).toEqual([])
  const fresh = await ada.run('install', BLINKY, '--root', 'other')
  expect(fresh.stdout).toContain(
    'warning: com.example.blinky 0.2.0 is deprecated: its author advises against it',
  )
}, 60_000)

test('[CLI-61] a package that could not be updated gives exit code 1', async () => {
  await using ada = await shopUser()
  await ada.run('install', BLINKY)
  await releaseNext(ada, '0.1.0', '0.2.0')
  await build(ada)
  await writeFile(ada.at('public/archives', `${BLINKY}-0.2.0.zip`), 'not it')
  const { code, stdout } = await ada.run('update')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^NOT updated: com\.example\.blinky: /)
  expect((await ada.run('list')).stdout).toContain('0.1.0')
})

test.each(['remove', 'rollback', 'pin', 'unpin', 'update'])(
  '[CLI-62] %s of what is not installed says so, and makes no folder',
  async (command) => {
    await using ada = await createUser()
    const { code, stdout, stderr } = await ada.run(command, BLINKY, '--root', 'third')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/is not installed: there is no .*third\.\n.*--root/)
    expect(await readdir(ada.home)).toEqual([])
  },
)

test('[CLI-63] list asks nobody, and makes no folder', async () => {
  await using ada = await createUser({ PATCHBAY_SERVER_URL: `http://localhost:${await freePort()}` })
  expect((await ada.run('list')).stdout).toMatch(/^Nothing is installed in /)
  expect(await readdir(ada.home)).toEqual([])
  await buildShop(ada)
  await ada.run('install', BLINKY, '--repo', 'public')
  const { code, stdout, stderr } = await ada.run('list')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^com\.example\.blinky {2}0\.1\.0 {2}stable {2}from Shop\nin /)
})

test('[CLI-21] what is listed holds no control characters', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await ada.run('install', BLINKY, '--repo', 'public')
  const state = ada.at('.local/share/patchbay/3rdparty/.patchbay/installed.json')
  await writeFile(state, (await readFile(state, 'utf8')).replace('"Shop"', '"Sh\\u001b[2Jop"'))
  const { code, stdout } = await ada.run('list')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('from Sh[2Jop\n') })
})

test('[CLI-83] the nearest package, source and command are suggested', async () => {
  await using ada = await shopUser()
  expect((await ada.run('install', 'com.example.blinki')).stderr).toContain(`Did you mean ${BLINKY}?`)
  expect((await ada.run('install', 'blinky')).stderr).toContain(`Did you mean ${BLINKY}?`)
  await ada.run('install', BLINKY)
  expect((await ada.run('remove', 'com.exmaple.blinky')).stderr).toContain(`Did you mean ${BLINKY}?`)
  expect((await ada.run('source', 'remove', 'shopp')).stderr).toContain('Did you mean shop?')
  expect((await ada.run('instal', BLINKY)).stderr).toContain('Did you mean install?')
  expect((await ada.run('package', 'valdate')).stderr).toContain('Did you mean validate?')
  const nothing = await ada.run('install', 'org.elsewhere.thing')
  expect(nothing.stderr).toMatch(/^shop does not have org\.elsewhere\.thing\.\nCheck the spelling/)
})

deepTest('[CLI-84] a server that is not there is 69, a folder that cannot be written is 1', async () => {
  const nobody = `http://localhost:${await freePort()}`
  await using ada = await createUser()
  for (const args of [
    ['install', BLINKY],
    ['search', 'x'],
    ['package', 'delist', BLINKY],
  ]) {
    const { code, stdout, stderr } = await ada.runWith(
      { PATCHBAY_API_KEY: 'key_x' },
      ...args,
      '--server',
      nobody,
    )
    expect({ args, code, stdout }).toEqual({ args, code: 69, stdout: '' })
    expect(stderr).toMatch(/cannot be reached/)
    expect(stderr).not.toMatch(NO_STACK)
  }
  await buildShop(ada)
  await writeFile(ada.at('file'), '')
  const blocked = await ada.run('install', BLINKY, '--repo', 'public', '--root', 'file/below')
  expect(blocked).toMatchObject({ code: 1, stdout: '' })
  expect(blocked.stderr).not.toMatch(NO_STACK)
})
