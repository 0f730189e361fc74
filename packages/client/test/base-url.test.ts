import { expect, test } from 'vitest'
import { checkBaseUrl } from '../src/base-url.ts'

test.each([
  ['https://patchbay.example.com/', 'https://patchbay.example.com'],
  ['https://example.com/patchbay/', 'https://example.com/patchbay'],
  ['http://localhost:8790', 'http://localhost:8790'],
  ['http://patchbay.localhost', 'http://patchbay.localhost'],
  ['http://127.0.0.1:8790', 'http://127.0.0.1:8790'],
  ['http://[::1]:8790/', 'http://[::1]:8790'],
])('[CL-3] %s is taken', (given, kept) => {
  expect(checkBaseUrl(given)).toBe(kept)
})

test.each([
  'http://patchbay.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://192.168.1.2',
  'ftp://localhost',
  'javascript:alert(1)',
  'https://ada:hunter2@example.com',
  'https://example.com/?token=hunter2',
  'https://example.com/#hunter2',
  'example.com',
  '',
])('[CL-3] %j is a TypeError that does not repeat it', (given) => {
  let thrown: unknown
  try {
    checkBaseUrl(given)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(TypeError)
  expect(String(thrown)).toMatch(/^TypeError: baseUrl must/)
  expect(String(thrown)).not.toMatch(/hunter2|example\.com/)
})
