import { expect, test } from 'vitest'
import { refusalOf } from '../../src/http/failure.ts'
import { checkPending, pendingLoginOf } from '../../src/login/pending-login.ts'

const intent = {
  token: 'int_abc',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:15:00.000Z',
  requested_max_age: 60,
  auth_url: 'https://example.com/authorize?intent=int_abc',
  updates_url: 'https://example.com/auth/intents/int_abc/status',
  completed: false,
  confirmation_code: 'amber falcon',
}
const begun = { baseUrl: 'https://example.com', verifier: 'v', now: 5_000 }

test('[CL-19] the deadline is the lifetime that the server gave, by the clock of this machine', () => {
  expect(pendingLoginOf(intent, begun).waitUntil).toBe(5_000 + 15 * 60_000)
})

test.each([
  ['no object', 'hello'],
  ['nothing', undefined],
  ['an empty token', { ...intent, token: '' }],
  ['a link that runs a program', { ...intent, auth_url: 'javascript:alert(1)' }],
  ['a link to a file', { ...intent, auth_url: 'file:///etc/passwd' }],
  ['a link that is an option', { ...intent, auth_url: '--new-window' }],
  ['words that are none', { ...intent, confirmation_code: 7 }],
  ['a time that is none', { ...intent, expires_at: 'soon' }],
  ['an end before its beginning', { ...intent, expires_at: '2025-01-01T00:00:00Z' }],
  ['an end in a hundred years', { ...intent, expires_at: '2126-01-01T00:00:00Z' }],
])('[CL-5] an answer with %s is no intent', (_what, body) => {
  expect(() => pendingLoginOf(body, begun)).toThrow(
    expect.objectContaining({ name: 'LoginError', code: 'unexpected' }),
  )
})

test('[CL-33] C12: an intent with the fields of the contract alone is one', () => {
  const { confirmation_code: _, ...plain } = intent
  const pending = pendingLoginOf(plain, begun)
  expect(pending).not.toHaveProperty('confirmationCode')
  expect(checkPending(JSON.parse(JSON.stringify(pending)))).toEqual(pending)
})

test.each([
  [410, 'expired'],
  [404, 'refused'],
  [409, 'refused'],
])('[CL-33] C12: a plain %d is %s', (status, code) => {
  expect(refusalOf(status, undefined).code).toBe(code)
})

test('[CL-4] a pending login is the same after a trip through JSON, and nothing else passes for one', () => {
  const pending = pendingLoginOf(intent, begun)
  expect(checkPending(JSON.parse(JSON.stringify(pending)))).toEqual(pending)
  for (const broken of [undefined, 'x', { ...pending, verifier: 7 }, { ...pending, waitUntil: '1' }]) {
    expect(() => checkPending(broken)).toThrow(/^this is no pending login/)
  }
  expect(() => checkPending({ ...pending, baseUrl: 'http://example.com' })).toThrow(TypeError)
})
