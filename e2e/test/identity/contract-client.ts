import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { SignedIn } from './signed-in.ts'

const run = promisify(execFile)

/**
 * The application knows the text of the contract and nothing else: no SDK, no verifier, no field that is
 * ours. Only the person's decision needs more, because the contract does not show the body of PATCH.
 */
const FIELDS = [
  'token',
  'created_at',
  'expires_at',
  'requested_max_age',
  'auth_url',
  'updates_url',
  'completed',
] as const

type Wire = Record<(typeof FIELDS)[number], string | number | boolean>

async function curl(...args: string[]): Promise<{ status: number; body: Record<string, unknown> }> {
  const { stdout } = await run('curl', [
    '--silent',
    '--show-error',
    '--max-time',
    '20',
    '-w',
    '\n%{http_code}',
    ...args,
  ])
  const at = stdout.lastIndexOf('\n')
  return {
    status: Number(stdout.slice(at + 1)),
    body: JSON.parse(stdout.slice(0, at) || '{}') as Record<string, unknown>,
  }
}

/** Creates an intent, opens the page, polls. Answers the session token. */
export async function logInWithCurl(url: string, person: SignedIn): Promise<string> {
  const created = await curl(
    '-X',
    'POST',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"max_age": 3600}',
    `${url}/auth/intents`,
  )
  expect(created.status).toBe(201)
  for (const field of FIELDS) expect(created.body).toHaveProperty(field)
  const { token, auth_url, expires_at, created_at } = created.body as Wire
  expect(created.body).toMatchObject({ requested_max_age: 3600, completed: false })
  expect(new URL(String(auth_url)).searchParams.get('token')).toBe(token)
  expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(15 * 60_000)

  const status = `${url}/auth/intents/${String(token)}/status`
  expect(await curl(status)).toEqual({ status: 200, body: { state: 'pending' } })
  expect((await person.decide(url, String(token))).ok).toBe(true)
  const answered = await curl(status)
  expect(answered).toMatchObject({ status: 200, body: { state: 'authenticated' } })
  const sessionToken = String(answered.body['session_token'])
  expect(await curl(status)).toEqual(answered)
  expect((await curl(`${url}/auth/intents/${String(token)}`)).body).toMatchObject({ completed: true })
  expect((await person.decide(url, String(token))).status).toBe(409)
  expect(await curl('-H', `Authorization: Bearer ${sessionToken}`, `${url}/auth/whoami`)).toMatchObject({
    status: 200,
    body: { person: { handle: person.handle } },
  })
  expect((await curl(`${url}/auth/intents/nothing`)).status).toBe(404)
  return sessionToken
}

/** Creates an intent without a body and waits for the event. Answers the session token. */
export async function logInWithFetch(url: string, person: SignedIn): Promise<string> {
  const created = await fetch(`${url}/auth/intents`, { method: 'POST' })
  const { token, requested_max_age } = (await created.json()) as Wire
  expect(requested_max_age).toBe(7_776_000)
  const stream = await fetch(`${url}/auth/intents/${String(token)}/status`, {
    headers: { Accept: 'text/event-stream' },
  })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  await person.decide(url, String(token))
  const text = await stream.text()
  const data = /^event: authenticated\ndata: (.*)$/m.exec(text)?.[1] ?? ''
  const { session_token, ...more } = JSON.parse(data) as { session_token: string }
  expect(more).toEqual({})
  return session_token
}
