import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whoami } from '@patchbay/client'
import { openCredentials } from '@patchbay/client/credentials'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
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

async function signIn(user: CliUser, at: string): Promise<string> {
  const running = user.begin('login', '--no-browser', '--server', at)
  await server.ada.approve(await running.link())
  await running.ended
  return (await openCredentials(user.folder).find(at))?.sessionToken ?? ''
}

test('[CLI-18] whoami says who, where and until when, in words and as JSON', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  await signIn(ada, server.url)
  const words = await ada.run('whoami')
  expect(words).toMatchObject({ code: 0, stderr: '' })
  expect(words.stdout).toMatch(
    new RegExp(`^You are ada, signed in to ${server.url} until [\\d-]+ [\\d:]+ UTC\\.\\n$`),
  )
  expect(JSON.parse((await ada.run('whoami', '--json')).stdout)).toEqual({
    server: server.url,
    handle: 'ada',
    display_name: 'ada',
    is_admin: false,
    kind: 'application',
    label: expect.stringMatching(/^patchbay CLI on /),
    expires_at: expect.stringMatching(/Z$/),
  })
})

test('[CLI-162] F4: without a word about the server a command asks the one of the last login', async () => {
  await using ada = await createCliUser()
  const other = `http://127.0.0.1:${new URL(server.url).port}`
  const earlier = { server: other, at: '2020-01-01T00:00:00.000Z' }
  await openCredentials(ada.folder).store(other, {
    sessionToken: 'tok_of-long-ago',
    handle: 'ada',
    expiresAt: null,
    login: earlier,
  })
  await signIn(ada, server.url)
  expect((await ada.run('whoami')).stdout).toContain(`You are ada, signed in to ${server.url} `)
  expect(await ada.run('logout')).toMatchObject({ code: 0, stdout: `Signed out of ${server.url}.\n` })
  expect((await ada.run('whoami')).stderr).toContain(`Your session on ${other} has ended.`)
  expect((await ada.run('whoami', '--server', server.url)).stderr).toContain(
    `You are not signed in to ${server.url}.`,
  )
})

test('[CLI-18] whoami ends with 1 when one is not signed in, or the session has ended', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  expect(await ada.run('whoami')).toEqual({
    code: 1,
    stdout: '',
    stderr: `You are not signed in to ${server.url}.\nRun "patchbay login" to sign in.\n`,
  })
  await signIn(ada, server.url)
  await server.db.deleteFrom('sessions').where('kind', '=', 'application').execute()
  expect(await ada.run('whoami')).toEqual({
    code: 1,
    stdout: '',
    stderr: `Your session on ${server.url} has ended.\nRun "patchbay login" to sign in again.\n`,
  })
})

test('[CLI-19] logout ends the session on the server, then here', async () => {
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: server.url })
  const sessionToken = await signIn(ada, server.url)
  expect(await ada.run('logout')).toEqual({ code: 0, stdout: `Signed out of ${server.url}.\n`, stderr: '' })
  await expect(whoami({ baseUrl: server.url, sessionToken })).rejects.toMatchObject({ code: 'refused' })
  expect(await openCredentials(ada.folder).find(server.url)).toBeUndefined()
  expect(await ada.run('logout')).toMatchObject({
    code: 0,
    stdout: `You were not signed in to ${server.url}.\n`,
  })
})

deepTest(
  '[CLI-19] when the server is away, the session is kept, and forgotten only with --force',
  async () => {
    await using proxy = await startFaultProxy(server.port)
    await using ada = await createCliUser({ PATCHBAY_SERVER_URL: proxy.url })
    const sessionToken = await signIn(ada, proxy.url)
    proxy.set('refuse')
    const kept = await ada.run('logout')
    expect(kept).toMatchObject({ code: 69, stdout: '' })
    expect(kept.stderr).toMatch(
      /could not be asked to end the session, so you are still signed in\.\n.*--force/,
    )
    expect((await openCredentials(ada.folder).find(proxy.url))?.sessionToken).toBe(sessionToken)
    const forced = await ada.run('logout', '--force')
    expect(forced).toMatchObject({ code: 0, stderr: '' })
    expect(forced.stdout).toMatch(/it stays valid there until [\d-]+ [\d:]+ UTC\./)
    expect(await openCredentials(ada.folder).find(proxy.url)).toBeUndefined()
  },
)

const NO_STACK = /\n\s+at |\.ts:\d|Error:|undefined|\[object/

deepTest.each([[['login', '--no-browser']], [['login', '--begin']]])(
  '[CLI-20] %j without a server says so with 69',
  async (args) => {
    const nobody = `http://localhost:${await freePort()}`
    await using ada = await createCliUser({ PATCHBAY_SERVER_URL: nobody })
    const { code, stdout, stderr } = await ada.run(...args)
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' })
    expect(stderr).toMatch(
      /cannot be reached right now: the connection failed \(ECONNREFUSED\)\.\nIs the server running\?/,
    )
    expect(stderr).not.toMatch(NO_STACK)
    expect(await readdir(ada.home)).toEqual([])
  },
)

test.each([
  [
    'a page',
    rawAnswer('200 OK', { 'content-type': 'text/html' }, '<h1>Hello</h1>'),
    69,
    /not as Patchbay does/,
  ],
  [
    'a redirect',
    rawAnswer('301 Moved', { location: 'https://example.com' }),
    69,
    /use the address it redirects to/,
  ],
  [
    'no such page',
    rawAnswer('404 Not Found', { 'content-type': 'text/html' }, 'x'),
    1,
    /refused: it answered 404/,
  ],
  ['too many requests', rawAnswer('429 Too Many', { 'retry-after': '30' }), 1, /asked too often/],
])('[CLI-20] an answer of %s is said in words', async (_what, answer, expected, words) => {
  await using proxy = await startFaultProxy(server.port)
  proxy.set({ answer })
  await using ada = await createCliUser()
  const { code, stdout, stderr } = await ada.run('login', '--server', proxy.url)
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(NO_STACK)
})

test.each([
  [
    ['login', '--server', 'http://patchbay.example.com'],
    /must be encrypted \(https:\/\/\) unless it is on this machine/,
  ],
  [['whoami', '--server', 'patchbay.example.com'], /must be an address that begins with https/],
  [['login', '--max-age', 'soon'], /--max-age[\s\S]*whole number of seconds/],
  [['login', '--max-age', '0'], /1 or more/],
  [['login', '--wait', '5'], /--wait goes with --check/],
  [['login', '--begin', '--check'], /cannot be used with/],
  [['logout', '--forse'], /Did you mean --force/],
])('[CLI-20] %j is a mistake of the caller: exit code 2', async (args, words) => {
  await using ada = await createCliUser()
  const { code, stdout, stderr } = await ada.run(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(NO_STACK)
})

test('[CLI-21] names that a server makes up cannot move the cursor', async () => {
  const person = { handle: 'ada\u001B[2J', display_name: '\u202Eevil\u0007', is_admin: false }
  const credential = { kind: 'application', label: null, expires_at: 'soon\u001B[0m', scopes: null }
  const hostile = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ person, credential }))
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  await using ada = await createCliUser({ PATCHBAY_SERVER_URL: url })
  await openCredentials(ada.folder).store(url, { sessionToken: 'tok_x', handle: null, expiresAt: null })
  const { stdout } = await ada.run('whoami')
  hostile.close()
  expect(stdout).toBe(`You are ada[2J (evil), signed in to ${url} until soon[0m.\n`)
})
