import { createHash } from 'node:crypto'
import { beginLogin, checkLogin, type LoginPrompt, login, waitForLogin, whoami } from '@patchbay/client'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { startNginx } from '@patchbay/testkit/nginx'
import { waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, test } from 'vitest'
import { recordingFetch } from './recording-fetch.ts'
import { type ClientServer, randomHash, sharedClientServer } from './start-server.ts'

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

test('[CL-1] the challenge travels when the login begins, the verifier only in its header', async () => {
  const recording = recordingFetch()
  const { sessionToken, intent } = await login({
    baseUrl: server.url,
    label: 'a test',
    maxAge: 3_600,
    fetch: recording.fetch,
    onPrompt: ({ authUrl }) => server.ada.approve(authUrl),
  })
  expect(sessionToken).toMatch(/^tok_/)
  expect(intent.requestedMaxAge).toBe(3_600)
  const [begun, ...others] = recording.sent
  const verifier = others[0]?.headers.get('intent-verifier') ?? ''
  expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(JSON.parse(begun?.body ?? '')).toEqual({
    label: 'a test',
    max_age: 3_600,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  for (const { url, body } of recording.sent) expect(url + body).not.toContain(verifier)
})

test('[CL-2] the prompt comes before the wait, with link, words and time', async () => {
  const recording = recordingFetch()
  const prompts: LoginPrompt[] = []
  await login({
    baseUrl: server.url,
    fetch: recording.fetch,
    onPrompt: async (prompt) => {
      prompts.push(prompt)
      expect(recording.sent).toHaveLength(1)
      await server.ada.approve(prompt.authUrl)
    },
  })
  expect(prompts).toEqual([
    {
      authUrl: expect.stringMatching(new RegExp(`^${server.url}/.*token=`)),
      confirmationCode: expect.stringMatching(/^[a-z]+[ -][a-z]+$/),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
})

test('[CL-2] what the prompt throws ends the login', async () => {
  const failing = login({
    baseUrl: server.url,
    onPrompt: () => {
      throw new RangeError('no screen')
    },
  })
  await expect(failing).rejects.toThrow(new RangeError('no screen'))
})

test('[CL-4] another process goes on with what the first one kept', async () => {
  const kept = JSON.stringify(await beginLogin({ baseUrl: server.url }))
  const pending = JSON.parse(kept) as Awaited<ReturnType<typeof beginLogin>>
  expect(await checkLogin(pending)).toEqual({ state: 'pending' })
  await server.ada.approve(pending.authUrl)
  const status = await checkLogin(pending)
  expect(status).toEqual({ state: 'authenticated', sessionToken: expect.stringMatching(/^tok_/) })
  expect(await checkLogin(pending)).toEqual(status)
  expect((await waitForLogin(pending)).sessionToken).toBe('sessionToken' in status && status.sessionToken)
})

test('[CL-6] a redirect is not followed', async () => {
  await using nginx = await startNginx({
    config: ({ port }) =>
      `server { listen 127.0.0.1:${port}; location / { return 307 ${server.url}$request_uri; } }`,
  })
  const recording = recordingFetch()
  const begun = login({ baseUrl: nginx.url, fetch: recording.fetch, onPrompt: () => undefined })
  await expect(begun).rejects.toMatchObject({
    code: 'unexpected',
    message: expect.stringContaining('redirects'),
  })
  const pending = await beginLogin({ baseUrl: server.url })
  const waiting = waitForLogin({ ...pending, baseUrl: nginx.url })
  await expect(waiting).rejects.toMatchObject({ code: 'unexpected' })
  await expect(whoami({ baseUrl: nginx.url, sessionToken: 'tok_x' })).rejects.toMatchObject({
    code: 'unexpected',
  })
  expect(recording.sent).toHaveLength(1)
})

test('[CL-10] the token comes over one stream, without a poll', async () => {
  const recording = recordingFetch()
  let prompt: LoginPrompt | undefined
  const waiting = login({
    baseUrl: server.url,
    fetch: recording.fetch,
    onPrompt: (shown) => {
      prompt = shown
    },
  })
  await waitUntil('the stream is open', () => recording.streams() === 1)
  await server.ada.approve(prompt?.authUrl ?? '')
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  expect([recording.streams(), recording.polls()]).toEqual([1, 0])
})

deepTest('[CL-11] with the transport "poll" the status is asked for every 2000 ms', async () => {
  const recording = recordingFetch()
  const pending = await beginLogin({ baseUrl: server.url })
  const waiting = waitForLogin(pending, { transport: 'poll', fetch: recording.fetch })
  await waitUntil('two polls', () => recording.polls() === 2)
  await server.ada.approve(pending.authUrl)
  expect((await waiting).sessionToken).toMatch(/^tok_/)
  const times = recording.sent.map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(recording.streams()).toBe(0)
  expect(gaps).not.toEqual([])
  for (const gap of gaps) expect(gap).toBeGreaterThan(1_990)
  for (const gap of gaps) expect(gap).toBeLessThan(atLatest(3_500))
})

test.each(['auto', 'poll'] as const)('[CL-18] a login that is declined ends so (%s)', async (transport) => {
  const recording = recordingFetch()
  const pending = await beginLogin({ baseUrl: server.url })
  const waiting = waitForLogin(pending, { transport, pollIntervalMs: 100, fetch: recording.fetch })
  waiting.catch(() => undefined)
  await waitUntil('it is waited for', () => recording.sent.length > 0)
  await server.ada.decline(pending.authUrl)
  await expect(waiting).rejects.toMatchObject({ name: 'LoginError', code: 'declined' })
  await expect(checkLogin(pending)).rejects.toMatchObject({ code: 'declined', problem: 'intent_declined' })
})

deepTest.each(['auto', 'poll'] as const)(
  '[CL-18] a login that nobody approved ends so (%s)',
  async (transport) => {
    const pending = await beginLogin({ baseUrl: server.url })
    await server.setIntent(pending.token, { expires_at: new Date(Date.now() + 300) })
    const waiting = waitForLogin(pending, { transport, pollIntervalMs: 100 })
    await expect(waiting).rejects.toMatchObject({ name: 'LoginError', code: 'expired' })
  },
)

test.each(['auto', 'poll'] as const)(
  '[CL-18] a session that another caller took is said (%s)',
  async (transport) => {
    const pending = await beginLogin({ baseUrl: server.url })
    await server.ada.approve(pending.authUrl)
    await server.setIntent(pending.token, { retriever: randomHash() })
    await expect(waitForLogin(pending, { transport })).rejects.toMatchObject({ code: 'consumed' })
  },
)

test('[CL-16] an intent that the server does not know ends the wait at once', async () => {
  const recording = recordingFetch()
  const pending = await beginLogin({ baseUrl: server.url })
  const stranger = { ...pending, verifier: 'x'.repeat(43) }
  await expect(waitForLogin(stranger, { fetch: recording.fetch })).rejects.toMatchObject({
    code: 'refused',
    problem: 'intent_not_found',
  })
  expect(recording.sent).toHaveLength(1)
})
