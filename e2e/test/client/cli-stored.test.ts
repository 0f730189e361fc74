import { openCredentials } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, vi } from 'vitest'
import { rawAnswer, startFaultProxy } from './fault-proxy.ts'
import { createCliUser } from './run-cli.ts'
import { type ClientServer, sharedClientServer } from './start-server.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 90_000 })

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

const WHOAMI = 'GET /auth/whoami'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The server, behind a network that answers `whoami` in its own way, or not at all. */
async function startBehind(answer: string | undefined) {
  const proxy = await startFaultProxy(server.port)
  proxy.set({ to: WHOAMI, answer })
  return proxy
}

test.each([
  ['is away', rawAnswer('503 Away', { 'retry-after': '30' })],
  ['was asked too often', rawAnswer('429 Too Many', { 'retry-after': '30' })],
  ['answers something else', rawAnswer('200 OK', JSON_TYPE, '{}')],
  ['forbids it', rawAnswer('403 Forbidden', JSON_TYPE, '{}')],
])('[CLI-24] a session is stored, then the server %s: signed in all the same', async (_what, answer) => {
  await using proxy = await startBehind(answer)
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: proxy.url })
  const running = ada.begin('login', '--no-browser')
  await server.ada.approve(await running.link())
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    `Signed in on ${proxy.url}. Run "patchbay whoami" to see who you are there.`,
  )
  proxy.set('pass')
  expect((await ada.run('whoami')).stdout).toMatch(/^You are ada, /)
})

deepTest('[CLI-24] Ctrl-C after the session is stored does not say that nothing was changed', async () => {
  await using proxy = await startBehind(undefined)
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: proxy.url })
  const running = ada.start('login', '--no-browser')
  await server.ada.approve(await running.link())
  const isStored = async () => (await openCredentials(ada.folder).find(proxy.url)) !== undefined
  await waitUntil('the session is stored', isStored)
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/Signed in on \S+ Run "patchbay whoami"/)
  proxy.set('pass')
  expect((await ada.run('whoami')).stdout).toMatch(/^You are ada, /)
})

test('[CLI-24] a session that has ended at once is no login', async () => {
  await using proxy = await startBehind(
    rawAnswer('401 Unauthorized', JSON_TYPE, '{"code":"credential_invalid"}'),
  )
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: proxy.url })
  const running = ada.begin('login', '--no-browser')
  await server.ada.approve(await running.link())
  const { code, stderr } = await running.ended
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `The session on ${proxy.url} was ended right after the login.\nRun "patchbay login" to sign in again.\n`,
  })
})

test('[CLI-27] advice repeats --server when it was given, and only then', async () => {
  const nobody = `http://localhost:${await freePort()}`
  await using ada = await createCliUser()
  const whoami = await ada.run('whoami', '--server', `${nobody}/`)
  expect(whoami.stderr).toBe(
    `You are not signed in to ${nobody}.\nRun "patchbay login --server ${nobody}" to sign in.\n`,
  )
  const check = await ada.run('login', '--check', '--server', nobody)
  expect(check.stderr).toContain(`Run "patchbay login --begin --server ${nobody}" to begin one.`)
  await openCredentials(ada.folder).store(nobody, { sessionToken: 'tok_x', handle: null, expiresAt: null })
  const logout = await ada.run('logout', '--server', nobody)
  expect(logout.stderr).toContain(`run "patchbay logout --force --server ${nobody}" to forget`)
  await using other = await createCliUser({ PATCHBAY_SERVER_URL: nobody })
  expect((await other.run('whoami')).stderr).toContain('Run "patchbay login" to sign in.')
})
