import { createUser, type User } from '@patchbay/cli/test/user'
import { credentialsFolder, openCredentials } from '@patchbay/client/credentials'
import type { WorkspaceInvitation, WorkspaceMember } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount, openSession } from '../installation/accounts.ts'
import { createApiKey } from './api-key.ts'

/** Ada with a workspace, and bob; both have logged in at a shell. */
async function startTwo() {
  await using cleanup = new AsyncDisposableStack()
  const site = cleanup.use(await startSite())
  const loggedIn = async (handle: string): Promise<User> => {
    const account = await makeAccount(site, handle)
    const user = cleanup.use(await createUser({ PATCHBAY_SERVER_URL: site.url }))
    const sessionToken = await openSession(site, account, { kind: 'application' })
    const stored = { sessionToken, handle, expiresAt: null }
    await openCredentials(credentialsFolder({ HOME: user.home })).store(site.url, stored)
    return user
  }
  const [ada, bob] = [await loggedIn('ada'), await loggedIn('bob')]
  expect((await ada.run('workspace', 'make', 'ada/board')).code).toBe(0)
  const owned = cleanup.move()
  return { site, ada, bob, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const workspace = (user: User, ...args: string[]) => user.run('workspace', ...args)

test('[CLI-202][CLI-203][CLI-204] a workspace is shared by handle and by link, joined, listed and unshared', async () => {
  await using two = await startTwo()
  const { site, ada, bob } = two
  expect(await workspace(bob, 'shared')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nobody') })
  const link = await ada.json<{ url: string; invitation: WorkspaceInvitation }>(
    'workspace',
    'share',
    'ada/board',
    '--link',
    '--role',
    'editor',
    '--days',
    '3',
    '--uses',
    '2',
  )
  expect(link.invitation).toMatchObject({ role: 'editor', usesLeft: 2 })
  expect(await workspace(bob, 'join', link.url)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('You are in ada/board, as editor.'),
  })
  expect((await workspace(bob, 'add', 'ada/board', 'system-log')).code).toBe(0)
  expect((await workspace(bob, 'shared')).stdout).toMatch(/^ada\/board +editor +invited by ada/m)
  expect(await workspace(ada, 'share', 'ada/board', 'bob')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Shared ada/board with bob, as viewer.'),
  })
  expect((await workspace(bob, 'add', 'ada/board', 'code-editor')).code).toBe(1)
  const listed = await ada.json<{ members: WorkspaceMember[]; invitations: WorkspaceInvitation[] }>(
    'workspace',
    'members',
    'ada/board',
  )
  expect(listed.members).toMatchObject([{ handle: 'bob', role: 'viewer' }])
  expect(listed.invitations).toMatchObject([{ id: link.invitation.id, usesLeft: 1 }])
  const seen = await workspace(bob, 'members', 'ada/board')
  expect(seen).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ada +owner\s/) })
  expect(seen.stdout).not.toContain(link.invitation.id)
  expect((await workspace(ada, 'unshare', 'ada/board', link.invitation.id)).code).toBe(0)
  expect(await workspace(bob, 'join', link.url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be used'),
  })
  expect((await workspace(bob, 'unshare', 'ada/board', 'bob')).code).toBe(0)
  expect((await workspace(bob, 'show', 'ada/board')).code).toBe(1)

  const refused: [User, string[], number, string][] = [
    [ada, ['share', 'ada/board', 'nobody-has-this'], 1, 'add --link'],
    [ada, ['share', 'ada/board'], 2, 'add --link'],
    [bob, ['share', 'ada/board', 'bob'], 1, 'Only the owner of ada/board'],
    [bob, ['join', 'https://elsewhere.example/join#x'], 2, '--server https://elsewhere.example'],
  ]
  for (const [user, args, code, stderr] of refused)
    expect(await workspace(user, ...args)).toMatchObject({ code, stderr: expect.stringContaining(stderr) })
  const session = await openSession(site, await makeAccount(site, 'carl'))
  const PATCHBAY_API_KEY = await createApiKey(site.url, session, ['panels:carl/*'])
  const withKey = await ada.runWith({ PATCHBAY_API_KEY }, 'workspace', 'shared')
  expect(withKey).toMatchObject({ code: 1, stderr: expect.stringContaining('not for API keys') })
})
