import { stat } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { NotConnected } from '../../src/tokens/index.ts'
import { SECRET, startConnection } from './connection.ts'
import { obtainCode } from './sign-in.ts'

const HOUR = 3_600_000

test.each([
  { left: 60_001, requests: 0 },
  { left: 60_000, requests: 1 },
  { left: 59_999, requests: 1 },
  { left: 0, requests: 1 },
  { left: -86_000, requests: 1 },
])('[B-530] with $left ms left there are $requests requests', async ({ left, requests }) => {
  await using connection = await startConnection()
  await connection.connect()
  const { accessToken } = await connection.read()
  connection.time.offset = HOUR - left
  const token = await connection.keeper.getAccessToken('ada')
  expect(connection.proxy.requests).toHaveLength(requests)
  expect(token === accessToken).toBe(requests === 0)
  expect(await connection.read()).toMatchObject({ accessToken: token })
  // Fresh now, for as long as the provider said.
  expect(await connection.keeper.getAccessToken('ada')).toBe(token)
  expect(connection.proxy.requests).toHaveLength(requests)
})

test('[B-531] a refresh sends the fields of the contract, as a form', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const { refreshToken } = await connection.read()
  connection.time.offset = HOUR
  await connection.keeper.getAccessToken('ada')
  expect(connection.proxy.requests).toEqual([
    {
      contentType: expect.stringMatching(/^application\/x-www-form-urlencoded(;|$)/),
      fields: {
        client_id: 'app',
        client_secret: SECRET,
        refresh_token: refreshToken,
        grant_type: 'refresh_token',
      },
    },
  ])
  expect(await connection.read()).toMatchObject({ expiresAt: connection.time.now() + HOUR })
})

test('[B-532] a returned refresh token replaces the old one, time after time', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const seen = new Set([(await connection.read()).refreshToken])
  for (const hours of [1, 2, 3]) {
    connection.time.offset = hours * HOUR
    await connection.keeper.getAccessToken('ada')
    seen.add((await connection.read()).refreshToken)
  }
  expect(seen.size).toBe(4)
})

test.each([
  { name: 'none', refresh_token: undefined },
  { name: 'null', refresh_token: null },
  { name: 'an empty one', refresh_token: '' },
])('[B-532] the refresh token is kept when the answer has $name', async ({ refresh_token }) => {
  await using connection = await startConnection()
  await connection.connect()
  const { refreshToken } = await connection.read()
  connection.proxy.change = (answer) => ({ ...answer, refresh_token })
  connection.time.offset = HOUR
  const accessToken = await connection.keeper.getAccessToken('ada')
  const expiresAt = connection.time.now() + HOUR
  expect(await connection.read()).toEqual({ accessToken, refreshToken, expiresAt })
})

test('[B-532] an old end does not stay when the answer has none', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.proxy.change = (answer) => ({ ...answer, expires_in: undefined })
  connection.time.offset = HOUR
  await connection.keeper.getAccessToken('ada')
  expect(await connection.read()).not.toHaveProperty('expiresAt')
})

test('[B-533] without a refresh token the user is not connected, and nobody is asked', async () => {
  await using connection = await startConnection()
  await connection.connect('ada', 'openid')
  connection.time.offset = HOUR - 60_001
  expect(await connection.keeper.getAccessToken('ada')).toEqual(expect.any(String))
  connection.time.offset = HOUR - 60_000
  const error = await connection.keeper.getAccessToken('ada').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotConnected)
  expect(error).toMatchObject({
    reason: 'no_refresh_token',
    message: expect.stringMatching(/^not connected/),
  })
  await expect(connection.keeper.getAccessToken('grace')).rejects.toMatchObject({ reason: 'no_record' })
  expect(connection.proxy.requests).toEqual([])
})

test('[B-534] invalid_grant removes the record, and the provider is not asked again', async () => {
  await using connection = await startConnection()
  await connection.connect()
  await connection.write({ ...(await connection.read()), refreshToken: 'revoked' })
  connection.time.offset = HOUR
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({ reason: 'refused' })
  await expect(stat(connection.file)).rejects.toThrow('ENOENT')
  expect(await connection.keeper.isConfigured('ada')).toBe(false)
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({ reason: 'no_record' })
  expect(connection.proxy.requests).toHaveLength(1)
})

test('[B-535] a record that was replaced meanwhile is not removed', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const good = await connection.read()
  await connection.write({ ...good, refreshToken: 'revoked' })
  connection.time.offset = HOUR
  connection.proxy.delayMs = 500
  const token = connection.keeper.getAccessToken('ada')
  await expect.poll(() => connection.proxy.requests.length).toBe(1)
  // Somebody who knows nothing of the lock restores a backup.
  await connection.write(good)
  await expect(token).rejects.toMatchObject({ reason: 'refused' })
  expect(await connection.read()).toEqual(good)
  expect(await connection.keeper.getAccessToken('ada')).toEqual(expect.any(String))
})

test('[B-536] a rejected token is refreshed, once', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const { accessToken: rejected } = await connection.read()
  const token = await connection.keeper.getAccessToken('ada', { rejected })
  expect(token).not.toBe(rejected)
  expect(await connection.keeper.getAccessToken('ada', { rejected })).toBe(token)
  expect(connection.proxy.requests).toHaveLength(1)
})

test('[B-536] a rejected token that cannot be refreshed is not handed out again', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const { accessToken: rejected } = await connection.read()
  connection.proxy.faults.push({ status: 503, headers: { 'retry-after': '3600' } })
  await expect(connection.keeper.getAccessToken('ada', { rejected })).rejects.toThrow('http_503')
})

test('[B-551] calls at once in one process make one request', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  const other = connection.createKeeper()
  const calls = Array.from({ length: 40 }, (_, index) =>
    (index % 2 ? other : connection.keeper).getAccessToken('ada'),
  )
  expect(new Set(await Promise.all(calls)).size).toBe(1)
  expect(connection.proxy.requests).toHaveLength(1)
})

deepTest('[B-551] two users are refreshed side by side', async () => {
  await using connection = await startConnection()
  await connection.connect('ada')
  await connection.keeper.redeem('grace', await obtainCode(connection.provider.issuer))
  connection.proxy.requests.length = 0
  connection.time.offset = HOUR
  connection.proxy.delayMs = 400
  const calls = ['ada', 'grace'].map((user) => connection.keeper.getAccessToken(user))
  await expect.poll(() => connection.proxy.requests.length).toBe(2)
  expect(new Set(await Promise.all(calls)).size).toBe(2)
})

test('[B-558] a new token that ends within the margin is shared by all who waited', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.proxy.change = (answer) => ({ ...answer, expires_in: 30 })
  connection.proxy.delayMs = 300
  connection.time.offset = HOUR
  const keepers = Array.from({ length: 10 }, () => connection.createKeeper())
  const tokens = await Promise.all(keepers.map((keeper) => keeper.getAccessToken('ada')))
  expect(new Set(tokens).size).toBe(1)
  expect(connection.proxy.requests).toHaveLength(1)
  await connection.keeper.getAccessToken('ada')
  expect(connection.proxy.requests).toHaveLength(2)
})
