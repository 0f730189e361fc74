import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { startRecordingServer } from '../install/recording-server.ts'
import { createUser } from '../user.ts'
import { build, buildArgs, buildShop } from './shop.ts'

test('[CLI-50] build makes a repository, and the same input leaves it alone', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  expect(await readdir(ada.at('public'))).toEqual(
    expect.arrayContaining([
      'archives',
      'manifests.json',
      'packages.json',
      'repository.json',
      'resources.zip',
    ]),
  )
  const again = await ada.json<{ written: string[]; packages: number }>(...buildArgs(ada))
  expect(again).toMatchObject({ written: [], packages: 1, is_signed: false })
})

test('[CLI-50] all faults are told at once, and nothing is written', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'packages/blinky')
  await writeFile(ada.at('packages/broken.zip'), 'x')
  const metadata = ada.at('packages/blinky/metadata.json')
  await writeFile(metadata, (await readFile(metadata, 'utf8')).replace('"MIT"', '"MTI"'))
  const { code, stderr } = await ada.run(...buildArgs(ada))
  expect(code).toBe(1)
  expect(stderr).toMatch(/blinky\/metadata\.json:11:14: "MTI" is not on the list of licenses/)
  expect(stderr).toMatch(/broken\.zip: .*not a zip/)
  expect(stderr).toContain('nothing was written')
  expect(await readdir(ada.at('public'))).toEqual([])
  const wrong = await ada.run(
    'repo',
    'build',
    'packages',
    '--out',
    'o',
    '--name',
    'x',
    '--base-url',
    'ftp://x',
  )
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('https://example.com/packages/') })
})

test('[CLI-51] verify finds what does not fit, with exit code 1', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  expect(await ada.run('repo', 'verify', 'public')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^public is sound: 0 errors, 0 warnings\.\n {2}1 package, 1 version/),
  })
  await writeFile(ada.at('public/packages.json'), '{"packages": []}')
  const { code, stdout } = await ada.run('repo', 'verify', 'public')
  expect(code).toBe(1)
  expect(stdout).toMatch(/error: packages.*\n[\s\S]*public is NOT sound/)
})

test('[CLI-53] serve serves until Ctrl-C; [CLI-52] verify-live asks for everything there', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  const serving = ada.start('repo', 'serve', 'public', '--port', '0')
  const address = () => /at (http:\S+repository\.json)/.exec(serving.stdout())?.[1] ?? ''
  await waitUntil('it is served', () => address() !== '')
  expect((await ada.run('repo', 'serve', 'public', '--port', new URL(address()).port)).stderr).toMatch(
    /port is taken.*\n.*--port/,
  )
  const sound = await ada.run('repo', 'verify-live', address())
  expect(sound).toMatchObject({ code: 0, stdout: expect.stringContaining('Shop is sound: 0 errors') })
  const [archive = ''] = await readdir(ada.at('public/archives'))
  await writeFile(ada.at('public/archives', archive), 'changed')
  const broken = await ada.run('repo', 'verify-live', address())
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/error: com\.example\.blinky 0\.1\.0: [\s\S]*Shop is NOT sound/)
  const json = await ada.json<{ is_sound: boolean; checks: { url: string }[] }>(
    'repo',
    'verify-live',
    address(),
  )
  expect(json.is_sound).toBe(false)
  expect(json.checks.length).toBeGreaterThan(3)
  serving.child.kill('SIGINT')
  expect(await serving.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/Stopped\.\n$/) })
})

test('[CLI-52] an address where nothing is fails with 1', async () => {
  await using ada = await createUser()
  const { code, stdout } = await ada.run('repo', 'verify-live', `file://${ada.at('nothing/repository.json')}`)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^error: repository: .*\n.*NOT sound/)
  expect((await ada.run('repo', 'verify-live', 'nonsense')).code).toBe(1)
})

deepTest('[CLI-50] with keys the repository is signed', async () => {
  await using ada = await createUser()
  await ada.run('repo', 'keys', 'create', 'keys')
  await ada.run('repo', 'trust', 'init', 'keys')
  await buildShop(ada, '--keys', 'keys')
  expect(await readdir(ada.at('public/tuf'))).toEqual(
    expect.arrayContaining(['1.root.json', '1.snapshot.json', '1.targets.json', 'timestamp.json']),
  )
  expect((await ada.run('repo', 'verify', 'public')).code).toBe(0)
  await build(ada)
})

deepTest('[CLI-50] an empty folder takes away what was published only when that is said', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await rm(ada.at('packages'), { recursive: true })
  await mkdir(ada.at('packages'))
  const refused = await ada.run(...buildArgs(ada))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('(--allow-empty)') })
  expect((await ada.run(...buildArgs(ada), '--allow-empty')).code).toBe(0)
})

test('[CLI-92] verify-live asks with the key that is named, and not without it', async () => {
  await using server = await startRecordingServer()
  await using ada = await createUser({ SHOP_KEY: 'key_shop' })
  const verify = ['repo', 'verify-live', `${server.url}/repository.json`]
  await ada.run(...verify)
  expect(server.secrets()).toEqual([])
  await ada.run(...verify, '--api-key-variable', 'SHOP_KEY')
  expect(server.secrets()).toEqual(['key_shop'])
  const keyless = await ada.run(...verify, '--api-key-variable', 'NO_KEY')
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('needs the API key in NO_KEY') })
})
