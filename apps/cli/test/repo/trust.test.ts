import { chmod, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createUser, type User } from '../user.ts'
import { build, buildShop, releaseNext } from './shop.ts'

async function ceremony(user: User, ...more: string[]): Promise<void> {
  await user.run('repo', 'keys', 'create', 'keys')
  await user.run('repo', 'trust', 'init', 'keys', ...more)
}

test('[CLI-54] keys are for this user alone, never shown and never overwritten', async () => {
  await using ada = await createUser()
  const created = await ada.run('repo', 'keys', 'create', 'keys')
  expect(created.code).toBe(0)
  expect((await stat(ada.at('keys'))).mode & 0o777).toBe(0o700)
  const pems: string[] = []
  for (const name of ['root-1.pem', 'targets-1.pem', 'online-1.pem']) {
    expect((await stat(ada.at('keys', name))).mode & 0o777).toBe(0o600)
    pems.push(await readFile(ada.at('keys', name), 'utf8'))
  }
  const again = await ada.run('repo', 'keys', 'create', 'keys')
  expect(again.stdout).toContain('has a key for every role already')
  expect((await ada.run('repo', 'keys', 'create', 'keys', '--role', 'root')).stdout).toContain('root-2.pem')
  const shown = await ada.run('repo', 'keys', 'show', 'keys', '--json')
  for (const pem of pems) {
    const secret = pem.split('\n')[1] ?? 'none'
    for (const { stdout, stderr } of [created, again, shown]) expect(stdout + stderr).not.toContain(secret)
  }
  expect(await readFile(ada.at('keys/root-1.pem'), 'utf8')).toBe(pems[0])
})

test('[CLI-54] keys show tells which count, and which others can read', async () => {
  await using ada = await createUser()
  await ceremony(ada)
  await ada.run('repo', 'trust', 'rotate', 'keys', '--replace', 'online')
  await chmod(ada.at('keys/online-2.pem'), 0o644)
  const { stdout } = await ada.run('repo', 'keys', 'show', 'keys')
  expect(stdout).toMatch(/online-1\.pem .* not in use/)
  expect(stdout).toMatch(/online-2\.pem .* in use/)
  expect(stdout).toMatch(/Warning: keys\/online-2\.pem can be read by others\. Run "chmod 600/)
})

test('[CLI-55] a registry gets a root and targets with 256 bins; a second first root is refused', async () => {
  await using ada = await createUser()
  await ceremony(ada, '--for', 'registry')
  expect((await readdir(ada.at('keys/trust'))).toSorted()).toEqual(['1.root.json', '1.targets.json'])
  const targets = JSON.parse(await readFile(ada.at('keys/trust/1.targets.json'), 'utf8')) as {
    signed: { delegations: { succinct_roles: { bit_length: number } } }
  }
  expect(targets.signed.delegations.succinct_roles.bit_length).toBe(8)
  const again = await ada.run('repo', 'trust', 'init', 'keys')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('repo trust rotate keys') })
})

test('[CLI-55] without keys it says how to get them', async () => {
  await using ada = await createUser()
  await ada.run('repo', 'keys', 'create', 'keys', '--role', 'root')
  expect(await ada.run('repo', 'trust', 'init', 'keys')).toMatchObject({
    code: 1,
    stderr: 'keys has no key for targets.\nRun "patchbay repo keys create keys" first.\n',
  })
})

test('[CLI-56] clients that trust the first root follow every rotation', async () => {
  await using ada = await createUser()
  await ceremony(ada)
  await buildShop(ada, '--keys', 'keys')
  await ada.run('source', 'add', 'public', '--name', 'shop', '--trust-root', 'keys/trust/1.root.json')
  expect((await ada.run('install', 'com.example.blinky')).code).toBe(0)
  for (const change of [
    ['--replace', 'online'],
    ['--replace', 'root', 'targets'],
    ['--add', 'root', '--threshold', '2'],
    [],
  ])
    expect((await ada.run('repo', 'trust', 'rotate', 'keys', ...change)).code).toBe(0)
  await releaseNext(ada, '0.1.0', '0.2.0')
  await build(ada, '--keys', 'keys')
  expect((await ada.run('repo', 'verify', 'public')).code).toBe(0)
  expect((await ada.run('update')).stdout).toContain('went from 0.1.0 to 0.2.0')
})

test('[CLI-56] without enough root keys, or with a threshold out of reach, nothing is written', async () => {
  await using ada = await createUser()
  await ceremony(ada, '--for', 'registry')
  const before = [...(await readdir(ada.at('keys'))), ...(await readdir(ada.at('keys/trust')))]
  const reach = await ada.run('repo', 'trust', 'rotate', 'keys', '--replace', 'online', '--threshold', '3')
  expect(reach).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was written') })
  await rename(ada.at('keys/root-1.pem'), ada.at('root-1.pem'))
  const rootless = await ada.run('repo', 'trust', 'rotate', 'keys')
  expect(rootless).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/signed by 1 of the keys of root 1; keys has 0/),
  })
  await rename(ada.at('root-1.pem'), ada.at('keys/root-1.pem'))
  await rename(ada.at('keys/targets-1.pem'), ada.at('targets-1.pem'))
  const targetless = await ada.run('repo', 'trust', 'rotate', 'keys')
  expect(targetless).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no targets key that root 2 names/),
  })
  await rename(ada.at('targets-1.pem'), ada.at('keys/targets-1.pem'))
  expect([...(await readdir(ada.at('keys'))), ...(await readdir(ada.at('keys/trust')))]).toEqual(before)
})

test('[CLI-57] show tells who may sign and until when, and exits with 1 when that is over', async () => {
  await using ada = await createUser()
  await ceremony(ada, '--days', '20')
  const soon = await ada.run('repo', 'trust', 'show', 'keys/trust')
  expect(soon.code).toBe(0)
  expect(soon.stdout).toMatch(
    /^Root 1 of keys\/trust: until .* UTC, in (19|20) days: sign the next one now\n/,
  )
  expect(soon.stdout).toMatch(/timestamp +1 of 1 +[a-f0-9]{16}/)
  const over = await ada.runLater(21, 'repo', 'trust', 'show', 'keys/trust')
  expect(over).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Root 1 of keys\/trust: EXPIRED on /),
  })
  await rm(ada.at('keys/trust/1.root.json'))
  const none = await ada.run('repo', 'trust', 'show', 'keys/trust')
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('has no root') })
})
