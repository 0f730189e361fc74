import { expect, test } from 'vitest'
import { providerError } from '../../src/flow/provider-error.ts'

test('[B-416] access_denied is explained, with the list of test users', () => {
  const error = providerError('access_denied', { error: 'access_denied', error_description: 'Not a tester' })
  expect(error).toMatchObject({
    code: 'provider_error',
    error: 'access_denied',
    errorDescription: 'Not a tester',
  })
  expect(error.explanation).toMatch(/testing mode/)
  expect(error.explanation).toMatch(/test users/)
})

test('[B-416] every error has an explanation, also one that nobody has heard of', () => {
  for (const code of ['invalid_scope', 'server_error', 'constructor', 'made_up']) {
    expect(providerError(code).explanation.length).toBeGreaterThan(20)
  }
})

test('[B-416] what the provider wrote cannot forge lines of a log, nor fill it', () => {
  const error = providerError('x', {
    error: 'a\r\nb',
    error_description: `\u001b[31m\u202e${'x'.repeat(9_000)}`,
  })
  expect(error.error).toBe('a b')
  expect(error.message).not.toMatch(/[\r\n]/)
  expect(error.errorDescription).toHaveLength(500)
  expect(error.errorDescription).toMatch(/^\[31mx+…$/)
})
