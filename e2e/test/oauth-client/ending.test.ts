import { randomBytes, randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { type FlowOptions, startOAuthFlow } from '@patchbay/oauth-client'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from './person.ts'
import { pendingIs, type RunningGateway, startGateway } from './start-gateway.ts'

let gateway: RunningGateway
let options: FlowOptions

beforeAll(async () => {
  gateway = await startGateway()
  options = {
    provider: 'example',
    authUrl: 'https://id.example.test/authorize',
    clientId: 'board',
    scopes: 'read',
    gatewayUrl: gateway.url,
  }
})
afterAll(() => gateway[Symbol.asyncDispose]())

test('[B-412] an aborted signal ends the flow here and at the gateway', async () => {
  const abort = new AbortController()
  const flow = await startOAuthFlow({ ...options, signal: abort.signal })
  abort.abort()
  await expect(flow.waitForCode()).rejects.toMatchObject({ name: 'OAuthFlowError', code: 'aborted' })
  await pendingIs(gateway, 0)
  expect(await gateway.answer({ state: flow.state, code: 'late' })).toBe('/callback/result/unknown-state')
})

test('[B-412] abort() and the end of a block do the same', async () => {
  const flow = await startOAuthFlow(options)
  flow.abort()
  await expect(flow.waitForCode()).rejects.toMatchObject({ code: 'aborted' })
  const left = await (async () => {
    await using disposed = await startOAuthFlow(options)
    return disposed
  })()
  await expect(left.waitForCode()).rejects.toMatchObject({ code: 'aborted' })
  await pendingIs(gateway, 0)
})

test('[B-413] after its time the flow ends here and at the gateway', async () => {
  const flow = await startOAuthFlow({ ...options, timeoutMs: 1_500 })
  await expect(flow.waitForCode()).rejects.toMatchObject({ code: 'timeout' })
  await pendingIs(gateway, 0)
  expect(await gateway.answer({ state: flow.state, code: 'late' })).toBe('/callback/result/unknown-state')
})

test('[B-410][B-414] a flow that nobody waits for ends, and so does its process', async () => {
  const program = `
    import { startOAuthFlow } from '@patchbay/oauth-client'
    const flow = await startOAuthFlow(${JSON.stringify({ ...options, timeoutMs: 3_000 })})
    const other = await startOAuthFlow(${JSON.stringify(options)})
    other.abort()
    console.log('started')
  `
  await using running = startProcess(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
  })
  const { child } = running
  await waitUntil('the process ends by itself', () => child.exitCode !== null, { deadlineMs: 20_000 })
  expect(running.output()).toBe('started\n')
  expect(child.exitCode).toBe(0)
})

test('[B-416] a person who refuses at a real provider: an error with an explanation', async () => {
  await using provider = await startOidcProvider({
    clients: [{ id: 'board', redirectUris: [`${gateway.url}/callback`] }],
  })
  const flow = await startOAuthFlow({
    ...options,
    authUrl: `${provider.issuer}/auth`,
    scopes: 'openid',
    issuer: provider.issuer,
    requireIss: true,
  })
  const last = await new Person().refuse(flow.authRedirectUrl)
  expect(last.url.pathname).toBe('/callback/result/access-denied')
  await expect(flow.waitForCode()).rejects.toMatchObject({
    code: 'provider_error',
    error: 'access_denied',
    errorDescription: 'The request was declined',
    explanation: expect.stringContaining('test users'),
  })
})

test('[B-417] a gateway that asks first shows the phrase; who declines there is told so here', async () => {
  await using asking = await startGateway({ PATCHBAY_GATEWAY_DELIVERY: 'confirm' })
  const start = () => startOAuthFlow({ ...options, gatewayUrl: asking.url, label: 'Workbench <3' })
  const decide = async (state: string, decision: string) => {
    const person = new Person()
    const page = await person.open(`${asking.url}/callback?${new URLSearchParams({ state, code: 'c' })}`)
    const nonce = /name="nonce" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    return { page, last: await person.open(page.url, new URLSearchParams({ nonce, decision })) }
  }
  const declined = await start()
  const { page, last } = await decide(declined.state, 'decline')
  for (const word of declined.phrase.split(' ')) expect(page.html).toContain(word)
  expect(last.url.pathname).toBe('/callback/result/declined')
  await expect(declined.waitForCode()).rejects.toMatchObject({ code: 'declined' })

  const accepted = await start()
  await decide(accepted.state, 'deliver')
  expect(await accepted.waitForCode()).toMatchObject({ code: 'c' })
})

test.for([
  ['a code of another issuer', { code: 'c', iss: 'https://evil.example.test' }, false],
  ['an error of another issuer', { error: 'access_denied', iss: 'https://evil.example.test' }, false],
  ['a code of nobody', { code: 'c' }, true],
] as const)('[B-418] %s is refused', async ([, parameters, requireIss]) => {
  const flow = await startOAuthFlow({ ...options, issuer: 'https://id.example.test', requireIss })
  await gateway.answer({ state: flow.state, ...parameters })
  await expect(flow.waitForCode()).rejects.toMatchObject({ code: 'issuer_mismatch' })
})

test('[B-419] however an error is printed, nothing secret is in it', async () => {
  const secrets: string[] = ['the-code-itself']
  const surroundings = {
    now: () => Date.now(),
    randomUUID() {
      const state = randomUUID()
      secrets.push(state)
      return state
    },
    randomBytes(size: number) {
      const bytes = randomBytes(size)
      if (size > 4) secrets.push(bytes.toString('base64url'), bytes.toString('hex'))
      return bytes
    },
  }
  const start = (changes: Partial<FlowOptions> = {}) =>
    startOAuthFlow({ ...options, ...changes }, surroundings)
  const mixedUp = await start({ issuer: 'https://id.example.test' })
  await gateway.answer({ state: mixedUp.state, code: 'the-code-itself', iss: 'https://evil.example.test' })
  const refused = await start()
  await gateway.answer({ state: refused.state, error: 'server_error', error_description: 'Sorry' })
  const timedOut = await start({ timeoutMs: 3_000 })
  const aborted = await start()
  aborted.abort()
  const taken = start().then(async (flow) => {
    await using _ = flow
    return startOAuthFlow(options, { ...surroundings, randomUUID: () => flow.state })
  })
  const unreachable = start({ gatewayUrl: 'http://127.0.0.1:1', connectTimeoutMs: 100 })
  const results = await Promise.allSettled([
    ...[mixedUp, refused, timedOut, aborted].map((flow) => flow.waitForCode()),
    taken,
    unreachable,
  ])
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(errors.map(({ code }) => code)).toEqual([
    'issuer_mismatch',
    'provider_error',
    'timeout',
    'aborted',
    'state_taken',
    'gateway_unreachable',
  ])
  expect(secrets.length).toBeGreaterThan(20)
  for (const error of errors) {
    const printed = [
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      String(error.stack),
    ]
    for (const secret of secrets) expect(printed.join('\n')).not.toContain(secret)
  }
})
