import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test, vi } from 'vitest'
import { createCliUser } from '../client/run-cli.ts'
import { startClientServer } from '../client/start-server.ts'
import { createAuthor } from './author.ts'

vi.setConfig({ testTimeout: 120_000 })

test('[CLI-55][CLI-66][CLI-93] a server signs with what the ceremony made, not what is private; a pinned root is followed through a rotation', async () => {
  await using cleanup = new AsyncDisposableStack()
  const place = await mkdtemp(join(tmpdir(), 'patchbay-ceremony-'))
  cleanup.defer(() => rm(place, { recursive: true, force: true }))
  const keys = join(place, 'keys')
  const trust = join(place, 'trust')
  await using operator = await createCliUser()
  await operator.run('repo', 'keys', 'create', keys)
  expect((await operator.run('repo', 'trust', 'init', keys, '--for', 'registry')).code).toBe(0)
  await cp(join(keys, 'trust'), trust, { recursive: true })
  await using server = await startClientServer({
    PATCHBAY_TRUST_FOLDER: trust,
    PATCHBAY_TRUST_ONLINE_KEY_FILE: join(keys, 'online-1.pem'),
  })
  await using ada = await createAuthor(server, 'com.example.signed')
  await ada.signIn()
  expect((await ada.run('package', 'publish', ada.package)).code).toBe(0)

  await using grace = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const root = join(keys, 'trust', '1.root.json')
  const added = await grace.run('source', 'add', server.url, '--name', 'home', '--trust-root', root)
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(await grace.run('install', 'com.example.signed')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Installed com\.example\.signed 0\.1\.0/),
  })

  await using secret = await createAuthor(server, 'com.example.secret')
  await secret.signIn()
  await secret.run('package', 'publish', secret.package, '--private')
  const pin = ['source', 'add', server.url, '--name', 'home', '--trust-root', root]
  expect((await secret.run(...pin, '--use-login')).code).toBe(0)
  expect(await secret.run('install', 'com.example.secret')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--allow-unsigned-private'),
  })
  await secret.run('source', 'remove', 'home')
  await secret.run(...pin, '--use-login', '--allow-unsigned-private')
  expect((await secret.run('install', 'com.example.secret')).code).toBe(0)

  expect((await operator.run('repo', 'trust', 'rotate', keys, '--replace', 'root')).code).toBe(0)
  await cp(join(keys, 'trust'), trust, { recursive: true })
  expect((await readdir(trust)).toSorted()).toEqual([
    '1.root.json',
    '1.targets.json',
    '2.root.json',
    '2.targets.json',
  ])
  await waitUntil(
    'the server has the new root',
    async () => (await fetch(`${server.url}/registry/tuf/2.root.json`)).ok,
    { deadlineMs: 30_000 },
  )
  await ada.setVersion('0.2.0')
  await ada.run('package', 'publish', ada.package)
  expect((await grace.run('update')).stdout).toContain('com.example.signed went from 0.1.0 to 0.2.0.')

  await operator.run('repo', 'keys', 'create', join(place, 'others'))
  await operator.run('repo', 'trust', 'init', join(place, 'others'))
  await using mallory = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const foreign = join(place, 'others', 'trust', '1.root.json')
  await mallory.run('source', 'add', server.url, '--no-check', '--trust-root', foreign)
  const refused = await mallory.run('install', 'com.example.signed')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/ was refused\. .*sign/i)
})
