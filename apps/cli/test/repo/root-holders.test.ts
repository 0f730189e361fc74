import { readdir, readFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { createUser, type User } from '../user.ts'

interface Root {
  readonly signed: {
    readonly roles: { readonly root: { readonly keyids: string[]; readonly threshold: number } }
  }
  readonly signatures: readonly { readonly keyid: string }[]
}

async function readRoot(user: User, version: number): Promise<Root> {
  return JSON.parse(await readFile(user.at(`keys/trust/${version}.root.json`), 'utf8')) as Root
}

/** Targets and online keys in `keys`, and three people with a root key each; two of them have to sign. */
async function ceremony(): Promise<User> {
  const ada = await createUser()
  for (const role of ['targets', 'online']) await ada.run('repo', 'keys', 'create', 'keys', '--role', role)
  for (const holder of ['eve', 'mia', 'tom'])
    await ada.run('repo', 'keys', 'create', holder, '--role', 'root')
  const folders = ['--root-keys', 'eve', 'mia', '--root-keys', 'tom']
  const begun = await ada.run(
    'repo',
    'trust',
    'init',
    'keys',
    '--for',
    'registry',
    '--threshold',
    '2',
    ...folders,
  )
  expect(begun).toMatchObject({ code: 0, stderr: '' })
  return ada
}

test('[CLI-58] the first root names the keys of all holders and is signed by them', async () => {
  await using ada = await ceremony()
  const { signed, signatures } = await readRoot(ada, 1)
  expect(signed.roles.root).toMatchObject({ threshold: 2 })
  expect(new Set(signed.roles.root.keyids).size).toBe(3)
  expect(signatures.map(({ keyid }) => keyid).toSorted()).toEqual(signed.roles.root.keyids.toSorted())
  expect(await readdir(ada.at('keys'))).toEqual(['online-1.pem', 'targets-1.pem', 'trust'])
  expect(await readdir(ada.at('eve'))).toEqual(['root-1.pem'])
})

test('[CLI-58] as many as have to sign are enough, and the key of who stayed at home still counts', async () => {
  await using ada = await ceremony()
  const alone = await ada.run('repo', 'trust', 'rotate', 'keys', '--root-keys', 'eve')
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('keys and eve have 1.') })
  const two = ['--root-keys', 'eve', 'tom']
  expect((await ada.run('repo', 'trust', 'rotate', 'keys', ...two)).code).toBe(0)
  expect((await ada.run('repo', 'trust', 'rotate', 'keys', '--add', 'root', ...two)).code).toBe(0)
  const [first, third] = [await readRoot(ada, 1), await readRoot(ada, 3)]
  expect(third.signed.roles.root.keyids).toHaveLength(4)
  expect(third.signed.roles.root.keyids).toEqual(expect.arrayContaining(first.signed.roles.root.keyids))
  const others = ['--root-keys', 'mia']
  // The new one is in the folder of the ceremony, numbered as the first there.
  expect(await readdir(ada.at('keys'))).toContain('root-1.pem')
  const rotate = ['repo', 'trust', 'rotate', 'keys', '--threshold', '3']
  const few = await ada.run(...rotate, ...others)
  expect(few).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('3 of its 4 root keys; 2 of them are here'),
  })
  expect((await ada.run(...rotate, ...others, ...two)).code).toBe(0)
  expect((await readRoot(ada, 4)).signed.roles.root).toMatchObject({ threshold: 3 })
})

deepTest('[CLI-58] a copy counts once, and a folder without a root key is named', async () => {
  await using ada = await ceremony()
  const copies = await ada.run('repo', 'trust', 'rotate', 'keys', '--root-keys', 'eve', 'eve')
  expect(copies).toMatchObject({ code: 1, stderr: expect.stringContaining('have 1.') })
  await ada.run('repo', 'keys', 'create', 'kim', '--role', 'online')
  const none = await ada.run('repo', 'trust', 'rotate', 'keys', '--root-keys', 'eve', 'kim')
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('kim has no root key') })
})
