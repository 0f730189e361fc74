import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whoami } from '@patchbay/client'
import { openCredentials, openPendingLogins } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, vi } from 'vitest'
import { rawAnswer, startFaultProxy } from './fault-proxy.ts'
import { type CliUser, createCliUser } from './run-cli.ts'
import { type ClientServer, sharedClientServer } from './start-server.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 90_000 })

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

async function begin(user: CliUser): Promise<string> {
  return (JSON.parse((await user.run('login', '--begin')).stdout) as { auth_url: string }).auth_url
}

const streams = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/patchbay_intent_streams\{[^}]*of="streams"[^}]*\} (\d+)/.exec(text)?.[1])
}

deepTest('[CLI-22] processes that complete one login at once: one does, and the session lives', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const link = await begin(ada)
  const before = await streams()
  const waiting = [1, 2, 3].map(() => ada.start('login', '--check', '--wait', '60'))
  await waitUntil('all of them wait', async () => (await streams()) >= before + 3, { deadlineMs: 30_000 })
  await server.ada.approve(link)
  const outcomes = await Promise.all(waiting.map(({ ended }) => ended))
  expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    outcomes.map(() => ({ code: 0, stderr: '' })),
  )
  const said = outcomes.map(({ stdout }) => stdout).toSorted()
  expect(said.map((text) => text.startsWith('Another process has completed this login. Signed in'))).toEqual([
    true,
    true,
    false,
  ])
  expect(said.at(-1)).toMatch(/^Signed in as ada on /)
  expect(await ada.run('whoami')).toMatchObject({ code: 0 })
})

test('[CLI-22] a session that is stored already is not ended by storing it again', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const link = await begin(ada)
  const pending = await openPendingLogins(ada.folder).find(server.url)
  await server.ada.approve(link)
  expect((await ada.run('login', '--check')).code).toBe(0)
  if (pending !== undefined) await openPendingLogins(ada.folder).store(server.url, pending)
  expect(await ada.run('login', '--check')).toMatchObject({ code: 0, stderr: '' })
  expect(await ada.run('whoami')).toMatchObject({ code: 0 })
})

test.each([
  [
    '429',
    rawAnswer('429 Too Many', { 'retry-after': '30' }),
    75,
    /asked too often from here\.\nThe login still waits/,
  ],
  [
    '503',
    rawAnswer('503 Away', { 'retry-after': '30' }),
    75,
    /cannot be reached right now[^\n]*\nThe login still waits/,
  ],
  ['a strange page', rawAnswer('404 Not Found', { 'content-type': 'text/html' }, 'x'), 1, /it answered 404/],
])('[CLI-23] %s does not cost the login', async (_what, answer, expected, words) => {
  await using proxy = await startFaultProxy(server.port)
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: proxy.url })
  const link = await begin(ada)
  proxy.set({ answer })
  const { code, stdout, stderr } = await ada.run('login', '--check')
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
  expect(stderr).toMatch(words)
  proxy.set('pass')
  await server.ada.approve(link)
  expect((await ada.run('login', '--check')).stdout).toMatch(/^Signed in as ada/)
})

test('[CLI-23] a login that the server does not know any more is said once, and is then forgotten', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  await begin(ada)
  await server.db.deleteFrom('intents').execute()
  const { code, stderr } = await ada.run('login', '--check')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('does not know this login') })
  expect((await ada.run('login', '--check')).stderr).toMatch(/^No login waits/)
})

test('[CLI-23] what is settled late does not throw away a login that was begun since', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const first = await begin(ada)
  const before = await streams()
  const waiting = ada.begin('login', '--check', '--wait', '60')
  await waitUntil('it waits', async () => (await streams()) > before)
  const second = await begin(ada)
  await server.ada.decline(first)
  expect((await waiting.ended).code).toBe(1)
  await server.ada.approve(second)
  expect((await ada.run('login', '--check')).code).toBe(0)
})

test.each([
  ['damaged', '{"version":1,"servers', 0o600, /pending-logins\.json is damaged/],
  ['readable by others', '{"version":1,"servers":{}}', 0o644, /pending-logins\.json can be read by other/],
])('[CLI-25] a file of pending logins that is %s is mentioned, no more', async (_what, text, mode, words) => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  await begin(ada)
  const file = join(ada.folder, 'pending-logins.json')
  await writeFile(file, text)
  await chmod(file, mode)
  const running = ada.begin('login', '--no-browser')
  await server.ada.approve(await running.link())
  const login = await running.ended
  expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in as ada') })
  expect(login.stderr).toMatch(words)
  const { sessionToken = '' } = (await openCredentials(ada.folder).find(server.url)) ?? {}
  const logout = await ada.run('logout')
  expect(logout).toMatchObject({ code: 0, stdout: `Signed out of ${server.url}.\n` })
  expect(logout.stderr).toMatch(words)
  await expect(whoami({ baseUrl: server.url, sessionToken })).rejects.toMatchObject({ code: 'refused' })
})

test('[CLI-15] a wait that no timer can count is cut', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const link = await begin(ada)
  const before = await streams()
  const waiting = ada.begin('login', '--check', '--wait', '9999999999')
  await waitUntil('it waits', async () => (await streams()) > before)
  await server.ada.approve(link)
  expect((await waiting.ended).stdout).toMatch(/^Signed in as ada/)
})
