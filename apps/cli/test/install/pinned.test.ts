import { rm, writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { createUser, type User } from '../user.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { BLINKY, createSigner, forgePrivate, publishOn, SPARSE } from './signed-registry.ts'

const KEY = { PATCHBAY_API_KEY: 'key_home' }

interface Pinned extends AsyncDisposable {
  readonly server: RecordingServer
  readonly ada: User
  readonly signer: ReturnType<typeof createSigner>
  /** Signs and serves a version of the package. */
  release(version: string): Promise<void>
  add(...more: string[]): ReturnType<User['run']>
}

async function pinned(): Promise<Pinned> {
  const server = await startRecordingServer()
  const ada = await createUser({ PATCHBAY_SERVER_URL: server.url })
  const signer = createSigner()
  await writeFile(ada.at('1.root.json'), signer.root.bytes)
  return {
    server,
    ada,
    signer,
    async release(version) {
      const body = await publishOn(server, ada, version)
      server.files.set(`/registry/${SPARSE}`, { body })
      signer.sign(server, new Map([[SPARSE, body]]))
    },
    add: (...more) =>
      ada.run('source', 'add', server.url, '--name', 'home', '--trust-root', '1.root.json', ...more),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await ada[Symbol.asyncDispose]()
    },
  }
}

test('[CLI-66] a package that the signed index lists is withheld, not missing, when the server has it not', async () => {
  await using home = await pinned()
  const { server, ada } = home
  await home.release('1.0.0')
  await home.add()
  expect(await ada.run('install', BLINKY)).toMatchObject({ code: 0, stderr: '' })
  server.files.delete(`/registry/${SPARSE}`)
  await ada.run('source', 'add', (await shopOf(ada)).folder, '--name', 'shop')
  for (const environment of [{}, KEY]) {
    const { code, stdout, stderr } = await ada.runWith(environment, 'install', `${BLINKY}@9.0.0`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^home \(http.*\) was refused\. .*the signed index lists .*not handed out/)
    expect(stderr).not.toContain('Did you mean')
  }
})

deepTest(
  '[CLI-66] an old list of private packages replaces no signed one, with or without the exception',
  async () => {
    await using home = await pinned()
    const { server, ada } = home
    await home.release('2.0.0')
    server.files.delete(`/registry/${SPARSE}`)
    await forgePrivate(server, ada, '1.0.0')
    for (const more of [[], ['--allow-unsigned-private']]) {
      await ada.run('source', 'remove', 'home')
      expect((await home.add(...more)).code).toBe(0)
      const { code, stderr } = await ada.runWith(KEY, 'install', BLINKY)
      expect({ more, code }).toEqual({ more, code: 1 })
      expect(stderr).toContain('the signed index lists')
      expect(await ada.json<object>('list')).toMatchObject({ packages: [] })
    }
  },
)

test('[CLI-93] a private package of a pinned source is refused unless the source says otherwise', async () => {
  await using home = await pinned()
  const { server, ada, signer } = home
  signer.sign(server, new Map())
  await forgePrivate(server, ada, '1.0.0')
  await home.add()
  const refused = await ada.runWith(KEY, 'install', BLINKY)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^home says that .* is private.* not signed.*\n.*--allow-unsigned-private/)
  expect(server.requests.map(({ path }) => path)).not.toContain(
    '/registry/feeds/tool/ada/private/repository.json',
  )
  await ada.run('source', 'remove', 'home')
  expect((await home.add('--allow-unsigned-private')).stdout).toContain('private ones without')
  expect(await ada.runWith(KEY, 'install', BLINKY)).toMatchObject({ code: 0, stderr: '' })
  const alone = await ada.run('source', 'add', 'http://127.0.0.1:1', '--allow-unsigned-private')
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--trust-root') })
})

test('[CLI-94] the root of another server is noticed when the source is added, by its name', async () => {
  await using home = await pinned()
  const { server } = home
  const unsigned = await home.add()
  expect(unsigned).toMatchObject({ code: 1 })
  expect(unsigned.stderr).toMatch(/^home \(http.*\) was refused\. Its signatures are not there/)
  createSigner().sign(server, new Map())
  const { code, stderr } = await home.add()
  expect(code).toBe(1)
  expect(stderr).toMatch(/^home \(http.*\) was refused\. .*\n.*Ask its operator for 1\.root\.json/)
})

test('[CLI-94][CLI-95] yesterday is refused with what to do, also with an empty cache', async () => {
  await using home = await pinned()
  const { server, ada } = home
  await home.release('1.0.0')
  const yesterday = new Map(server.files)
  await home.release('2.0.0')
  await home.add()
  await ada.run('install', BLINKY)
  for (const [path, reply] of yesterday) server.files.set(path, reply)
  await rm(ada.at('.cache'), { recursive: true, force: true })
  const { code, stdout } = await ada.run('update')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^NOT updated: com\.example\.blinky: home \(http.*\) was refused\. .*an older state than was seen before.*\n.*another network/,
  )
  expect((await ada.run('list')).stdout).toContain('2.0.0')
})

test('[CLI-96] an update comes from where the package came from, or from elsewhere when that is asked for', async () => {
  await using home = await pinned()
  const { ada } = home
  await home.release('1.0.0')
  await home.add()
  await ada.run('install', BLINKY)
  const { folder } = await shopOf(ada)
  const other = await ada.run('update', '--repo', folder)
  expect(other.stdout).toMatch(
    /^Left alone: .*was installed from http.*9\.0\.0 is offered by .*--allow-other-origin/,
  )
  expect((await ada.run('list')).stdout).toContain('1.0.0')
  const allowed = await ada.run('update', BLINKY, '--repo', folder, '--allow-other-origin')
  expect(allowed.stdout).toContain(`${BLINKY} went from 1.0.0 to 9.0.0.`)
})

deepTest(
  '[CLI-66] a repository that is named by its address keeps the root that is pinned for it',
  async () => {
    await using ada = await createUser()
    const { folder } = await shopOf(ada)
    await writeFile(ada.at('1.root.json'), createSigner().root.bytes)
    await ada.run('source', 'add', folder, '--name', 'shop', '--no-check', '--trust-root', '1.root.json')
    const { code, stderr } = await ada.run('install', BLINKY, '--repo', folder)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/nothing at this address .*\/public\/tuf\//),
    })
  },
)

/** A repository of somebody else, which has the same package in a newer version. */
async function shopOf(user: User): Promise<{ readonly folder: string }> {
  await user.run('package', 'init', 'shop/blinky', '--package-version', '9.0.0', '--status', 'stable')
  const base = `file://${user.at('public')}/`
  await user.run('repo', 'build', 'shop', '--out', 'public', '--name', 'Shop', '--base-url', base)
  return { folder: 'public' }
}
