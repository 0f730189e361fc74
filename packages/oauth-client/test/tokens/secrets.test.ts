import { inspect } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { type Connection, SECRET, startConnection } from './connection.ts'
import type { Fault } from './fault-proxy.ts'
import { obtainCode } from './sign-in.ts'

/** Everything that somebody who looks at the value can see. */
function shownOf(value: unknown): string {
  const stack = value instanceof Error ? `${value.message} ${value.stack}` : ''
  return inspect(value, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(value) + stack
}

function echoes(text: string): readonly Fault[] {
  const json = JSON.stringify
  return [
    { status: 400, body: json({ error: text, error_description: text, error_uri: text }) },
    { status: 400, body: json({ error: 'invalid_request', error_description: text }) },
    { status: 401, headers: { 'www-authenticate': `Basic realm="${text}"` }, body: text },
    { status: 200, body: text },
    { status: 200, body: json({ access_token: 7, echo: text }) },
    { status: 200, body: json({ access_token: text, token_type: text }) },
    { status: 302, headers: { location: `http://127.0.0.1:1/?${text}` } },
    { status: 503, headers: { 'retry-after': '3600' }, body: text },
    { status: 400, body: json({ error: 'invalid_grant', error_description: text }) },
  ]
}

async function failuresOf(
  { proxy }: Connection,
  text: string,
  call: () => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const fault of echoes(text)) {
    proxy.faults.push(fault)
    failures.push(
      await call().then(
        () => 'no failure',
        (error: unknown) => error,
      ),
    )
  }
  return failures
}

deepTest('[B-560] whatever the provider answers, no error tells a token, a code or a secret', async () => {
  await using connection = await startConnection()
  const { keeper, provider } = connection
  const code = await obtainCode(provider.issuer)
  const secrets = [code.code, code.codeVerifier, SECRET]
  const refused = await failuresOf(connection, secrets.join('.'), () => keeper.redeem('ada', code))
  for (const failure of refused) {
    expect(failure).toBeInstanceOf(Error)
    for (const secret of secrets) expect(shownOf(failure)).not.toContain(secret)
  }

  await connection.connect()
  const { accessToken, refreshToken = '' } = await connection.read()
  const tokens = [accessToken, refreshToken, SECRET]
  connection.time.offset = 3_600_000
  const failed = await failuresOf(connection, tokens.join('.'), () => keeper.getAccessToken('ada'))
  for (const failure of failed) {
    expect(failure).toBeInstanceOf(Error)
    for (const secret of tokens) expect(shownOf(failure)).not.toContain(secret)
  }
})

test('[B-560] a keeper shows nothing, also while it refreshes', async () => {
  await using connection = await startConnection()
  await connection.connect()
  const { accessToken, refreshToken = '' } = await connection.read()
  connection.time.offset = 3_600_000
  const token = connection.keeper.getAccessToken('ada')
  const during = shownOf(connection.keeper)
  for (const secret of [accessToken, refreshToken, SECRET, await token]) {
    expect(during + shownOf(connection.keeper)).not.toContain(secret)
  }
})

test('[B-560] a record that cannot be used is not repeated', async () => {
  await using connection = await startConnection()
  await connection.connect()
  await connection.write({ accessToken: ['planted-token'], refreshToken: 'planted-token' })
  const error = await connection.keeper.getAccessToken('ada').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(shownOf(error)).not.toContain('planted-token')
})
