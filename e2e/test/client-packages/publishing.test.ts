import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackagePage } from '@patchbay/contracts/registry'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { createCliUser } from '../client/run-cli.ts'
import { type ClientServer, startClientServer } from '../client/start-server.ts'
import { createAuthor } from './author.ts'

// Real processes on a busy machine take their time.
vi.setConfig({ testTimeout: 90_000 })

let server: ClientServer
beforeAll(async () => {
  server = await startClientServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

deepTest('[CLI-45] a folder is packed, published, found and installed elsewhere', async () => {
  await using ada = await createAuthor(server, 'com.example.blinky')
  await ada.signIn()
  const { code, stdout } = await ada.run('package', 'publish', ada.package)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(`^Published com\\.example\\.blinky 0\\.1\\.0 for ada on ${server.url}\\.\\n`),
  )
  expect(stdout).toContain(`page     ${server.url}/packages/com.example.blinky\n`)
  expect(stdout).toContain('install  patchbay install com.example.blinky\n')
  const again = await ada.run('package', 'publish', ada.package)
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing to do: the server has exactly these/),
  })

  await using grace = await createCliUser()
  const found = await grace.run('search', 'blin', '--server', server.url)
  expect(found).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^com\.example\.blinky {2}0\.1\.0 {2}plugin/),
  })
  const installed = await grace.run('install', 'com.example.blinky', '--server', server.url)
  expect(installed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Installed com\.example\.blinky 0\.1\.0/),
  })
  const settings = join(grace.home, '.local/share/patchbay/3rdparty/plugins/com_example_blinky/settings.ini')
  await writeFile(settings, 'as I like it')

  await ada.setVersion('0.2.0')
  expect((await ada.run('package', 'publish', ada.package)).code).toBe(0)
  const updated = await grace.run('update', '--server', server.url)
  expect(updated.stdout).toContain('com.example.blinky went from 0.1.0 to 0.2.0.')
  expect(await readFile(settings, 'utf8')).toBe('as I like it')
  const slip = await grace.run('install', 'com.example.blinkx', '--server', server.url)
  expect(slip).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean com.example.blinky?') })
})

test('[CLI-175] R9: a secret address of a private feed is made, used by a tool without a key, listed and revoked', async () => {
  await using ada = await createAuthor(server, 'com.example.hidden')
  await ada.signIn()
  expect((await ada.run('package', 'publish', ada.package, '--private')).code).toBe(0)
  const told = await ada.run('repo', 'feed-address', 'create', 'Old PC', '--owner', 'ada')
  const [, old = ''] = /revoke (\S+ --owner ada)"/.exec(told.stdout) ?? []
  expect((await ada.run('repo', 'feed-address', 'revoke', ...old.split(' '))).code).toBe(0)
  const created = await ada.run('repo', 'feed-address', 'create', 'Lab PC', '--json')
  expect([created.code, created.stderr]).toEqual([0, ''])
  const { id, feeds } = JSON.parse(created.stdout) as { id: string; feeds: { brand: string; url: string }[] }
  const url = feeds.find(({ brand }) => brand === 'tool')?.url ?? ''

  await using grace = await createCliUser()
  // On a machine that stands still it may be published before it is in the feed.
  const install = async () => (await grace.run('install', 'com.example.hidden', '--repo', url)).stderr
  await expect.poll(install, { timeout: 20_000 }).toBe('')

  const listed = await ada.run('repo', 'feed-address', 'list')
  expect(listed.stdout).toMatch(new RegExp(`^${id} {2}[-0-9]{10} {2}ada {2}Lab PC\\n$`))
  const revoked = await ada.run('repo', 'feed-address', 'revoke', id)
  expect([revoked.code, (await fetch(url)).status]).toEqual([0, 404])
  expect((await ada.run('repo', 'feed-address', 'list')).stdout).toContain('has no secret address')
})

test('[CLI-46] what the server refuses is told with what to do', async () => {
  await using ada = await createAuthor(server, 'com.example.refused')
  const stranger = await ada.run('package', 'publish', ada.package)
  expect(stranger).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Run "patchbay login"'),
  })
  await ada.signIn()
  await ada.run('package', 'publish', ada.package)
  await writeFile(join(ada.package, 'plugins', 'more.py'), '')
  const changed = await ada.run('package', 'publish', ada.package)
  expect(changed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Raise the version in metadata.json'),
  })
  const elsewhere = await ada.run('package', 'publish', ada.package, '--owner', 'somebody-else')
  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('--owner') })
  const metadata = join(ada.package, 'metadata.json')
  // The format allows it; only the server knows what its database cannot hold.
  await writeFile(
    metadata,
    (await readFile(metadata, 'utf8')).replace('"status"', '"note": "\\u0000", "status"'),
  )
  await ada.setVersion('0.3.0')
  const unwritable = await ada.run('package', 'publish', ada.package)
  expect(unwritable.code).toBe(1)
  expect(unwritable.stderr).toMatch(/metadata\.json: .*\(\/versions\/0\/note\)\n.*nothing was published/)
})

deepTest(
  '[CLI-47] status, delist and list-again change what is published; the owner is looked up',
  async () => {
    await using ada = await createAuthor(server, 'com.example.changing')
    await ada.signIn()
    await ada.run('package', 'publish', ada.package)
    const id = 'com.example.changing'
    const deprecated = await ada.run('package', 'status', id, '0.1.0', 'deprecated')
    expect(deprecated).toMatchObject({ code: 0, stdout: `${id} 0.1.0 is deprecated now.\n` })
    const refused = await ada.run('package', 'status', id, '0.1.0', 'testing')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect((await ada.run('package', 'delist', id)).stdout).toContain('nothing was deleted')
    expect((await ada.run('search', 'changing')).stdout).toContain('Nothing was found')
    expect((await ada.run('package', 'list-again', id)).code).toBe(0)
    expect((await ada.run('search', 'changing')).stdout).toContain(id)
    const unknown = await ada.run('package', 'delist', 'com.example.unknown')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Package not found') })
    const imported = await ada.run('package', 'import', 'http://127.0.0.1:1/blinky.zip')
    expect(imported).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not allowed to fetch from this address'),
    })
  },
)

test('[CLI-170] R1: a version is yanked and offered again', async () => {
  const id = 'com.example.slipped'
  await using ada = await createAuthor(server, id)
  await ada.signIn()
  await ada.run('package', 'publish', ada.package)
  await ada.setVersion('0.2.0')
  await ada.run('package', 'publish', ada.package)
  const yanked = await ada.run('package', 'yank', `${id}@0.2.0`, '--reason', 'Deletes boards')
  expect(yanked).toMatchObject({ code: 0, stdout: expect.stringContaining(`install ${id}@0.2.0`) })
  const latest = await ada.run('install', id, '--server', server.url)
  expect(latest.stdout).toContain(`Installed ${id} 0.1.0`)
  const named = await ada.run('install', `${id}@0.2.0`, '--server', server.url)
  expect(`${named.stdout}${named.stderr}`).toContain(`${id} 0.2.0 was yanked: Deletes boards`)
  expect((await ada.run('list')).stdout).toMatch(/0\.2\.0 +yanked/)
  expect((await ada.run('package', 'yank', `${id}@0.2.0`, '--undo')).code).toBe(0)
  expect((await ada.run('update', '--server', server.url)).stdout).toContain('up to date')
  expect((await ada.run('list')).stdout).not.toContain('yanked')
})

test('[CLI-171] R1: a version that nobody else has is deleted, and others are not', async () => {
  const id = 'com.example.mistaken'
  await using ada = await createAuthor(server, id)
  await ada.signIn()
  await ada.run('package', 'publish', ada.package)
  const page = (await (await fetch(`${server.url}/registry/packages/${id}`)).json()) as PackagePage
  expect((await fetch(page.versions[0]?.download_url ?? '')).status).toBe(200)
  await ada.setVersion('0.3.0')
  await ada.run('package', 'publish', ada.package)
  expect(await ada.run('package', 'delete', `${id}@0.3.0`)).toMatchObject({ code: 0 })
  const taken = await ada.run('package', 'delete', `${id}@0.1.0`)
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('Yank it instead') })
  for (const command of ['yank', 'delete'])
    expect(await ada.run('package', command, id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`@1.2.0`),
    })
})

test('[CLI-97] a package that keeps the visibility of its first version says so', async () => {
  await using ada = await createAuthor(server, 'com.example.kept')
  await ada.signIn()
  const first = await ada.run('package', 'publish', ada.package, '--private')
  expect(first).toMatchObject({ code: 0, stdout: expect.not.stringContaining('keeps') })
  await ada.setVersion('0.2.0')
  const second = await ada.run('package', 'publish', ada.package)
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('It stays private') })
  await using grace = await createAuthor(server, 'com.example.open')
  await grace.signIn()
  await grace.run('package', 'publish', grace.package)
  await grace.setVersion('0.2.0')
  const open = await grace.run('package', 'publish', grace.package, '--private')
  expect(open).toMatchObject({ code: 0, stdout: expect.stringContaining('It is PUBLIC') })
})

test('[CLI-69] a private package is for those who may read it', async () => {
  await using ada = await createAuthor(server, 'com.example.secret')
  await ada.signIn()
  const published = await ada.run('package', 'publish', ada.package, '--private', '--json')
  expect(JSON.parse(published.stdout)).toMatchObject({ visibility: 'private', is_new: true })
  expect((await ada.run('install', 'com.example.secret')).stdout).toMatch(
    /^Installed com\.example\.secret 0\.1\.0/,
  )
  await using grace = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const stranger = await grace.run('install', 'com.example.secret')
  expect(stranger).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not have com.example.secret'),
  })
})
