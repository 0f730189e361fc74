import { inspect } from 'node:util'
import { beginLogin, checkLogin, LoginError, login, logout, waitForLogin, whoami } from '@patchbay/client'
import { freePort } from '@patchbay/testkit/ports'
import { beforeAll, expect, test } from 'vitest'
import { rawAnswer, startFaultProxy } from './fault-proxy.ts'
import { type ClientServer, sharedClientServer } from './start-server.ts'

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

const signIn = async (maxAge: number) =>
  await login({
    baseUrl: server.url,
    label: 'a test',
    maxAge,
    onPrompt: ({ authUrl }) => server.ada.approve(authUrl),
  })

test('[CL-30] whoami names the person, the application and the end; logout ends the session once', async () => {
  const before = Date.now()
  const { sessionToken } = await signIn(600)
  const session = { baseUrl: server.url, sessionToken }
  const who = await whoami(session)
  expect(who).toMatchObject({
    handle: 'ada',
    displayName: 'ada',
    isAdmin: false,
    kind: 'application',
    label: 'a test',
  })
  expect(Date.parse(who.expiresAt ?? '') - before).toBeGreaterThan(590_000)
  expect(await logout(session)).toBe(true)
  expect(await logout(session)).toBe(false)
})

test('[CL-31] a session that has ended is told apart from a server that is away', async () => {
  const { sessionToken } = await signIn(600)
  await logout({ baseUrl: server.url, sessionToken })
  await expect(whoami({ baseUrl: server.url, sessionToken })).rejects.toMatchObject({
    code: 'refused',
    problem: 'credential_invalid',
  })
  const nobody = `http://127.0.0.1:${await freePort()}`
  for (const ask of [whoami, logout]) {
    await expect(ask({ baseUrl: nobody, sessionToken })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  }
})

test('[CL-32] no error holds a token, a verifier or a link, whichever way it is printed', async () => {
  await using proxy = await startFaultProxy(server.port)
  const pending = await beginLogin({ baseUrl: proxy.url })
  const { sessionToken } = await signIn(600)
  const echo = JSON.stringify({
    code: pending.token,
    detail: pending.verifier,
    title: sessionToken,
    session_token: 7,
    state: pending.token,
  })
  const json = { 'content-type': 'application/json' }
  const problem = { 'content-type': 'application/problem+json' }
  const answers = [
    rawAnswer('200 OK', json, echo),
    rawAnswer('200 OK', { 'content-type': pending.token }, echo),
    rawAnswer('200 OK', { 'content-type': 'text/event-stream' }, `event: authenticated\ndata: ${echo}\n\n`),
    rawAnswer('400 Bad Request', problem, echo),
    rawAnswer(`418 ${pending.token}`, problem, echo),
    rawAnswer('410 Gone', problem, JSON.stringify({ code: 'intent_declined', detail: pending.token })),
    rawAnswer('302 Found', { location: pending.authUrl }),
    `HTTP/1.1 nonsense ${pending.token}\r\n\r\n`,
  ]
  const errors: unknown[] = []
  for (const answer of answers) {
    proxy.set({ answer })
    for (const call of [
      () => checkLogin(pending),
      () => waitForLogin(pending, { signal: AbortSignal.timeout(200) }),
      () => whoami({ baseUrl: proxy.url, sessionToken }),
      () => logout({ baseUrl: proxy.url, sessionToken }),
    ]) {
      errors.push(await call().catch((error: unknown) => error))
    }
  }
  const failed = errors.filter((error) => error instanceof LoginError)
  expect(failed).toHaveLength(answers.length * 4)
  const printed = failed
    .map((error) =>
      [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), String(error.stack)].join(
        '\n',
      ),
    )
    .join('\n')
  for (const secret of [pending.token, pending.verifier, sessionToken, pending.authUrl])
    expect(printed).not.toContain(secret)
}, 60_000)
