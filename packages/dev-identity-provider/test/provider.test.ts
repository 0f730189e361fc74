import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { startOidcProvider } from '../src/index.ts'
import { askToken, askUserinfo, authorizationRequest, CALLBACK, Person, redeem } from './person.ts'

const clients = [{ id: 'app', name: 'Workbench', redirectUris: [CALLBACK] }]

test('[TK-401] the issuer names the port that was taken, also when two providers run at once', async () => {
  await using one = await startOidcProvider({ clients })
  await using other = await startOidcProvider({ clients })
  expect(one.issuer).not.toBe(other.issuer)
  for (const { issuer } of [one, other]) {
    const discovery = await fetch(`${issuer}/.well-known/openid-configuration`)
    expect(await discovery.json()).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
    })
  }
})

test('[TK-401] a port that is in use is refused, not replaced', async () => {
  await using first = await startOidcProvider()
  const port = Number(new URL(first.issuer).port)
  await expect(startOidcProvider({ port })).rejects.toThrow('EADDRINUSE')
})

test('[TK-402] a person chooses an account, allows, and the application learns who it is', async () => {
  await using provider = await startOidcProvider({ clients })
  const attempt = authorizationRequest(provider.issuer)
  const callback = await new Person().signIn(attempt, 'grace')
  expect(callback.searchParams.get('state')).toBe(attempt.state)

  const tokens = await redeem(provider.issuer, callback, attempt)
  expect(await readIdToken(provider.issuer, tokens.id_token)).toMatchObject({
    iss: provider.issuer,
    sub: 'grace',
    aud: 'app',
  })
  expect(await askUserinfo(provider.issuer, tokens)).toEqual({
    sub: 'grace',
    email: 'grace@example.test',
    email_verified: true,
    name: 'Grace Hopper',
  })
})

test('[TK-402] only accounts that exist can be chosen', async () => {
  await using provider = await startOidcProvider({ clients })
  const person = new Person()
  const chooser = await person.open(authorizationRequest(provider.issuer).url)
  expect(await person.press(chooser, 'login', { account: 'mallory' })).toMatchObject({ status: 400 })
})

test('[TK-403] a request without PKCE is refused, and so is a wrong verifier', async () => {
  await using provider = await startOidcProvider({
    clients: [{ id: 'app', secret: 'a secret does not replace it', redirectUris: [CALLBACK] }],
  })
  const bare = authorizationRequest(provider.issuer, {
    code_challenge: undefined,
    code_challenge_method: undefined,
  })
  const refusal = await new Person().open(bare.url)
  expect(refusal.url.searchParams.get('error')).toBe('invalid_request')
  expect(refusal.url.searchParams.get('error_description')).toContain('PKCE')

  await provider.addClient({ id: 'public', redirectUris: [CALLBACK] })
  const attempt = authorizationRequest(provider.issuer, { client_id: 'public' })
  const callback = await new Person().signIn(attempt)
  const wrong = { ...attempt, verifier: 'x'.repeat(43) }
  expect(await redeem(provider.issuer, callback, wrong)).toMatchObject({ error: expect.any(String) })
})

test('[TK-404] a refresh token works once; used again, its whole family ends', async () => {
  await using provider = await startOidcProvider({ clients })
  const attempt = authorizationRequest(provider.issuer, { scope: 'openid offline_access', prompt: 'consent' })
  const first = await redeem(provider.issuer, await new Person().signIn(attempt), attempt)
  const refresh = (token: string | undefined) =>
    askToken(provider.issuer, { grant_type: 'refresh_token', refresh_token: token ?? '' })

  const second = await refresh(first.refresh_token)
  expect(second.refresh_token).toEqual(expect.any(String))
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(await refresh(first.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  expect(await refresh(second.refresh_token)).toMatchObject({ error: 'invalid_grant' })
})

test('[TK-405] a remembered consent lets the same browser pass without a page', async () => {
  await using provider = await startOidcProvider({ clients })
  const person = new Person()
  await person.signIn(authorizationRequest(provider.issuer))
  const again = await person.open(authorizationRequest(provider.issuer).url)
  expect(again.url.searchParams.get('code')).toEqual(expect.any(String))
})

test('[TK-405] with rememberConsent off, every sign-in asks', async () => {
  await using provider = await startOidcProvider({ clients, rememberConsent: false })
  const person = new Person()
  await person.signIn(authorizationRequest(provider.issuer))
  const again = await person.open(authorizationRequest(provider.issuer).url)
  expect(again.html).toContain('Workbench asks for access')
  expect((await person.press(again, 'consent')).url.searchParams.get('code')).toEqual(expect.any(String))
})

test('[TK-406] who declines sends the application access_denied', async () => {
  await using provider = await startOidcProvider({ clients })
  const person = new Person()
  const chooser = await person.open(authorizationRequest(provider.issuer).url)
  const consent = await person.press(chooser, 'login', { account: 'ada' })
  const declined = await person.press(consent, 'abort')
  expect(declined.url.searchParams.get('error')).toBe('access_denied')
})

test('[TK-406] the account can be changed on the consent page', async () => {
  await using provider = await startOidcProvider({ clients })
  const person = new Person()
  const attempt = authorizationRequest(provider.issuer)
  const consent = await person.press(await person.open(attempt.url), 'login', { account: 'ada' })
  const chooser = await person.press(consent, 'switch')
  const asGrace = await person.press(chooser, 'login', { account: 'grace' })
  expect(asGrace.html).toContain('Grace Hopper')
  const tokens = await redeem(provider.issuer, (await person.press(asGrace, 'consent')).url, attempt)
  expect(await askUserinfo(provider.issuer, tokens)).toMatchObject({ sub: 'grace' })
})

test('[TK-407] an application that starts after the provider can be added', async () => {
  await using provider = await startOidcProvider()
  const unknown = await new Person().open(authorizationRequest(provider.issuer).url)
  expect(unknown).toMatchObject({ status: 400, html: expect.stringContaining('invalid_client') })

  await provider.addClient({ id: 'app', redirectUris: [CALLBACK] })
  const callback = await new Person().signIn(authorizationRequest(provider.issuer))
  expect(callback.searchParams.get('code')).toEqual(expect.any(String))
})

/** The claims, once the signature holds under the key that the provider publishes. */
async function readIdToken(issuer: string, token: string): Promise<Record<string, unknown>> {
  const { keys }: { keys: [Record<string, string>] } = await (await fetch(`${issuer}/jwks`)).json()
  const [header = '', claims = '', signature = ''] = token.split('.')
  const key = createPublicKey({ key: keys[0], format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>
}

test('[TK-410] what it signs for a job is verified with the key that it publishes, and says what it was told to', async () => {
  await using provider = await startOidcProvider()
  const token = await provider.signJobToken('https://registry.example', {
    repository: 'acme/lamp',
    sub: 'job',
  })
  const claims = await readIdToken(provider.issuer, token)
  expect(claims).toMatchObject({
    iss: provider.issuer,
    aud: 'https://registry.example',
    repository: 'acme/lamp',
    sub: 'job',
  })
  const other = await readIdToken(
    provider.issuer,
    await provider.signJobToken('https://registry.example', {}),
  )
  expect(other['jti']).not.toBe(claims['jti'])
})
