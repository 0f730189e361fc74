import { readFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { TokenRequestFailed } from '../../src/tokens/index.ts'
import { startConnection } from './connection.ts'
import { obtainCode } from './sign-in.ts'

const HOUR = 3_600_000
/** Too long to wait for. */
const AWAY = { status: 503, headers: { 'retry-after': '3600' } }

deepTest.concurrent('[B-540] a provider that fails twice and then works goes unnoticed', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push({ status: 500 }, { status: 502, body: '<html>' })
  const token = await connection.keeper.getAccessToken('ada')
  expect(await connection.read()).toMatchObject({ accessToken: token })
  expect(connection.proxy.requests).toHaveLength(3)
})

test.concurrent('[B-540] the exchange of a code is tried again as well', async () => {
  await using connection = await startConnection()
  connection.proxy.faults.push({ status: 503 })
  await connection.keeper.redeem('ada', await obtainCode(connection.provider.issuer))
  expect(await connection.keeper.isConfigured('ada')).toBe(true)
})

deepTest.concurrent('[B-540] four attempts in all, and the record stays', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const before = await readFile(connection.file, 'utf8')
  connection.time.offset = HOUR
  connection.proxy.faults.push(...Array.from({ length: 4 }, () => ({ status: 500 })))
  const started = performance.now()
  const error = await connection.keeper.getAccessToken('ada').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TokenRequestFailed)
  expect(error).toMatchObject({ code: 'http_500', transient: true })
  expect(connection.proxy.requests).toHaveLength(4)
  // The pauses grow: 300, 600 and 1,200 ms at least.
  expect(performance.now() - started).toBeGreaterThan(2_000)
  expect(await readFile(connection.file, 'utf8')).toBe(before)
  expect(await connection.keeper.getAccessToken('ada')).toEqual(expect.any(String))
})

deepTest.concurrent('[B-540] an attempt that hangs is given up, and the next one may pass', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push('hang')
  const keeper = connection.createKeeper({ requestTimeoutMs: 2_000 })
  expect(await keeper.getAccessToken('ada')).toEqual(expect.any(String))
  expect(connection.proxy.requests).toHaveLength(2)
})

deepTest.concurrent('[B-540] attempts end with the budget', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push('hang', 'hang')
  const keeper = connection.createKeeper({ retryBudgetMs: 1_000 })
  await expect(keeper.getAccessToken('ada')).rejects.toMatchObject({ code: 'timeout', transient: true })
  expect(connection.proxy.requests).toHaveLength(1)
})

deepTest.concurrent('[B-540] a provider that cannot be reached is a passing failure', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  const { tokenUrl } = connection.proxy
  await connection.proxy[Symbol.asyncDispose]()
  const keeper = connection.createKeeper({ tokenUrl, retryBudgetMs: 1_000 })
  await expect(keeper.getAccessToken('ada')).rejects.toMatchObject({ code: 'network', transient: true })
  expect(await connection.keeper.isConfigured('ada')).toBe(true)
})

test.concurrent('[B-541] Retry-After is obeyed, in seconds and as a date', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  const date = new Date(connection.time.now() + 2_000).toUTCString()
  connection.proxy.faults.push({ status: 429, headers: { 'retry-after': '1' } })
  connection.proxy.faults.push({ status: 503, headers: { 'retry-after': date } })
  const started = performance.now()
  await connection.keeper.getAccessToken('ada')
  // Dates have whole seconds: one to two of them are left.
  expect(performance.now() - started).toBeGreaterThan(1_900)
  expect(connection.proxy.requests).toHaveLength(3)
})

deepTest.concurrent('[B-541] a Retry-After past the budget ends it at once', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push({ status: 429, headers: { 'retry-after': '3600' } })
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({
    code: 'http_429',
    transient: true,
  })
  expect(connection.proxy.requests).toHaveLength(1)
})

test('[B-542] a token that has not ended is handed out while the provider is away', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const { accessToken } = await connection.read()
  connection.proxy.faults.push(AWAY, AWAY)
  connection.time.offset = HOUR - 1
  expect(await connection.keeper.getAccessToken('ada')).toBe(accessToken)
  connection.time.offset = HOUR
  await expect(connection.keeper.getAccessToken('ada')).rejects.toThrow('http_503')
  expect(connection.proxy.requests).toHaveLength(2)
})

test('[B-543] invalid_client is not tried again, and the record stays', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push({
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="provider"' },
    body: '{"error":"invalid_client"}',
  })
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({
    name: 'TokenRequestFailed',
    code: 'invalid_client',
    transient: false,
  })
  expect(connection.proxy.requests).toHaveLength(1)
  expect(await connection.keeper.isConfigured('ada')).toBe(true)
})

test('[B-544] a refresh whose answer was lost is sent again; a provider that takes it for theft ends the connection', async () => {
  await using connection = await startConnection()
  await connection.connect()
  connection.time.offset = HOUR
  connection.proxy.faults.push('lose answer')
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({ reason: 'refused' })
  const tokens = connection.proxy.requests.map(({ fields }) => fields['refresh_token'])
  expect(tokens).toHaveLength(2)
  expect(tokens[0]).toBe(tokens[1])
})

test.each([
  { quirk: 'without a token_type', change: { token_type: undefined } },
  { quirk: 'with a capitalized token_type', change: { token_type: 'BEARER' } },
  { quirk: 'with scopes as a list', change: { scope: ['a', 'b'] } },
  { quirk: 'with nulls', change: { scope: null, id_token: null } },
  { quirk: 'with expires_in as text', change: { expires_in: '3600' } },
  { quirk: 'with an ID token of somebody else', change: { id_token: 'e30.e30.x' } },
])('[B-545] an answer $quirk is used', async ({ change }) => {
  await using connection = await startConnection()
  connection.proxy.change = (answer) => ({ ...answer, ...change })
  await connection.connect()
  connection.time.offset = HOUR
  const accessToken = await connection.keeper.getAccessToken('ada')
  expect(await connection.read()).toMatchObject({ accessToken, expiresAt: connection.time.now() + HOUR })
})

test.each(['invalid_grant', 'bad_refresh_token'])(
  '[B-545] the error %s with status 200 is an error',
  async (error) => {
    await using connection = await startConnection()
    await connection.connect()
    connection.time.offset = HOUR
    connection.proxy.faults.push({ status: 200, body: JSON.stringify({ error, error_description: 'no' }) })
    await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({ reason: 'refused' })
  },
)

test.each([
  { what: 'a page', fault: { status: 200, body: '<html>' } },
  { what: 'a redirect', fault: { status: 302, headers: { location: '/elsewhere' } } },
  { what: 'a list', fault: { status: 200, body: '[]' } },
  { what: 'no access token', fault: { status: 200, body: '{"token_type":"bearer"}' } },
  { what: 'an empty access token', fault: { status: 200, body: '{"access_token":""}' } },
  {
    what: 'a token of an unknown kind',
    fault: { status: 200, body: '{"access_token":"a","token_type":"mac"}' },
  },
  { what: 'far too much', fault: { status: 200, body: `{"access_token":"${'a'.repeat(2 ** 20)}"}` } },
  { what: 'a status without a body', fault: { status: 204 } },
  { what: 'an unknown refusal', fault: { status: 418, body: 'no' } },
])('[B-546] an answer that is $what is malformed, and the record stays', async ({ fault }) => {
  await using connection = await startConnection()
  await connection.connect()
  const before = await readFile(connection.file, 'utf8')
  connection.time.offset = HOUR
  connection.proxy.faults.push(fault)
  await expect(connection.keeper.getAccessToken('ada')).rejects.toMatchObject({
    code: 'malformed_answer',
    transient: false,
  })
  expect(connection.proxy.requests).toHaveLength(1)
  expect(await readFile(connection.file, 'utf8')).toBe(before)
})
