import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Credentials } from '../../src/credentials/index.ts'
import type { ConnectTokens } from '../../src/service/connect-service.ts'
import { NotConnected, TokenRequestFailed } from '../../src/tokens/index.ts'
import { SECRET, startConnection } from './connection.ts'
import { obtainCode, REDIRECT_URI } from './sign-in.ts'

test('[B-520] a code is exchanged with the fields of the contract, as a form', async () => {
  await using connection = await startConnection()
  const { keeper, proxy, provider } = connection
  const code = await obtainCode(provider.issuer)
  await keeper.redeem('ada', code)
  expect(proxy.requests).toEqual([
    {
      contentType: expect.stringMatching(/^application\/x-www-form-urlencoded(;|$)/),
      fields: {
        code: code.code,
        client_id: 'app',
        client_secret: SECRET,
        redirect_uri: REDIRECT_URI,
        grant_type: 'authorization_code',
        code_verifier: code.codeVerifier,
      },
    },
  ])
  const { accessToken } = await connection.read()
  const userinfo = await fetch(new URL('/me', provider.issuer), {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  expect(await userinfo.json()).toMatchObject({ sub: 'ada' })
})

test('[B-520] without a verifier no code_verifier is sent', async () => {
  await using connection = await startConnection()
  const { code, redirectUri } = await obtainCode(connection.provider.issuer)
  await expect(connection.keeper.redeem('ada', { code, redirectUri })).rejects.toThrow('invalid_grant')
  expect(Object.keys(connection.proxy.requests[0]?.fields ?? {})).not.toContain('code_verifier')
})

test('[B-521] a public client sends no client_secret', async () => {
  await using connection = await startConnection({ credentials: new Credentials({ clientId: 'public' }) })
  const { keeper, proxy, provider, time } = connection
  await keeper.redeem('ada', await obtainCode(provider.issuer, { clientId: 'public' }))
  time.offset = 3_600_000
  await keeper.getAccessToken('ada')
  expect(proxy.requests.map(({ fields }) => fields['grant_type'])).toEqual([
    'authorization_code',
    'refresh_token',
  ])
  for (const { fields } of proxy.requests) {
    expect(fields['client_id']).toBe('public')
    expect(fields).not.toHaveProperty('client_secret')
  }
})

test('[B-522] connecting again keeps nothing of the earlier record', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const first = await connection.read()
  expect(first.refreshToken).toEqual(expect.any(String))
  await connection.connect('ada', 'openid')
  const second = await connection.read()
  expect(second.accessToken).not.toBe(first.accessToken)
  expect(Object.keys(second)).toEqual(['accessToken', 'expiresAt'])
})

test('[B-523] the token URL is https, or http on the loopback interface', async () => {
  await using connection = await startConnection()
  for (const tokenUrl of [
    'https://id.example/token',
    'http://127.0.0.1:1/t',
    'http://[::1]:1/t',
    'http://localhost/t',
  ]) {
    expect(() => connection.createKeeper({ tokenUrl })).not.toThrow()
  }
  for (const tokenUrl of [
    'http://id.example/token',
    'http://127.0.0.1.example/t',
    'ftp://id.example/t',
    'token',
  ]) {
    expect(() => connection.createKeeper({ tokenUrl })).toThrow(TypeError)
  }
})

test('[B-524] expiresAt is the time of the request plus expires_in seconds', async () => {
  await using connection = await startConnection()
  await connection.connect()
  expect((await connection.read()).expiresAt).toBe(connection.time.now() + 3_600_000)
})

test('[B-524] without expires_in no time ends the token', async () => {
  await using connection = await startConnection()
  connection.proxy.change = (answer) => ({ ...answer, expires_in: undefined })
  await connection.connect()
  const { accessToken, expiresAt } = await connection.read()
  expect(expiresAt).toBeUndefined()
  connection.time.offset = 10 * 365 * 86_400_000
  expect(await connection.keeper.getAccessToken('ada')).toBe(accessToken)
  expect(connection.proxy.requests).toEqual([])
})

test('[B-525] a refused code is sent once and leaves an earlier record alone', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const before = await readFile(connection.file, 'utf8')
  const code = { ...(await obtainCode(connection.provider.issuer)), code: 'never-issued' }
  const error = await connection.keeper.redeem('ada', code).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TokenRequestFailed)
  expect(error).toMatchObject({ code: 'invalid_grant', transient: false })
  expect(connection.proxy.requests).toHaveLength(1)
  expect(await readFile(connection.file, 'utf8')).toBe(before)
})

test('[B-526] isConfigured asks nobody', async () => {
  await using connection = await startConnection()
  const { keeper, time } = connection
  expect(await keeper.isConfigured('ada')).toBe(false)
  await connection.connect()
  expect(await keeper.isConfigured('ada')).toBe(true)
  time.offset = 86_400_000
  expect(await keeper.isConfigured('ada')).toBe(true)

  await connection.write({ accessToken: 'a', expiresAt: time.now() + 60_001 })
  expect(await keeper.isConfigured('ada')).toBe(true)
  await connection.write({ accessToken: 'a', expiresAt: time.now() + 60_000 })
  expect(await keeper.isConfigured('ada')).toBe(false)
  await connection.write({ refreshToken: 'r' })
  expect(await keeper.isConfigured('ada')).toBe(false)
  expect(connection.proxy.requests).toEqual([])
})

test('[B-527] disconnecting removes the record and says whether there was one', async () => {
  await using connection = await startConnection()
  await connection.connect()
  expect(await connection.keeper.disconnect('ada')).toBe(true)
  await expect(stat(connection.file)).rejects.toThrow('ENOENT')
  expect(await connection.keeper.disconnect('ada')).toBe(false)
  expect(await connection.createKeeper({ provider: 'another' }).disconnect('ada')).toBe(false)
})

test('[B-527] a refresh under way does not bring a disconnected record back', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = 3_600_000
  connection.proxy.delayMs = 300
  const token = connection.keeper.getAccessToken('ada')
  await expect.poll(() => connection.proxy.requests.length).toBe(1)
  expect(await connection.createKeeper().disconnect('ada')).toBe(true)
  expect(await token).toEqual(expect.any(String))
  await expect(connection.keeper.getAccessToken('ada')).rejects.toBeInstanceOf(NotConnected)
})

test('[B-528] a keeper is what a connect service needs', async () => {
  await using connection = await startConnection()
  const tokens: ConnectTokens = connection.keeper
  expect(await tokens.isConfigured('ada')).toBe(false)
})
