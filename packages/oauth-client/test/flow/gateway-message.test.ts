import { expect, test } from 'vitest'
import { readMessage } from '../../src/flow/gateway-message.ts'

const state = '5f1c0c1e-6f0f-4a53-9d58-0a4d2b4b7e11'
const read = (message: unknown) => readMessage(JSON.stringify(message), state)

test('[B-415] the documented messages are read', () => {
  expect(read({ type: 'registered', state })).toEqual({ type: 'registered', expiresInMs: undefined })
  expect(read({ type: 'registered', state, expiresInMs: 5 })).toEqual({ type: 'registered', expiresInMs: 5 })
  const query = { code: 'c', state, tags: ['a', 'b'] }
  expect(read({ type: 'callback', state, code: 'c', query })).toEqual({ type: 'callback', code: 'c', query })
  expect(read({ type: 'error', state, error: 'Gone.', reason: 'expired' })).toEqual({
    type: 'error',
    error: 'Gone.',
    reason: 'expired',
    query: {},
  })
})

test('[B-415] an error with a reason that is not known, or none, is an error all the same', () => {
  const error = { type: 'error', error: 'x', reason: undefined, query: {} }
  expect(read({ type: 'error', state, error: 'x', reason: 'toString' })).toEqual(error)
  expect(read({ type: 'error', state, error: 'x' })).toEqual(error)
})

test.for([
  { type: 'callback', state: state.toUpperCase(), code: 'c', query: {} },
  { type: 'callback', state: ` ${state}`, code: 'c', query: {} },
  { type: 'callback', code: 'c', query: {} },
  { type: 'error', state: '', error: 'x' },
  { type: 'applause', state },
  { state },
])('[B-415] %o is about somebody or something else', (message) => {
  expect(read(message)).toEqual({ type: 'other' })
})

test.for([
  { type: 'callback', state, query: {} },
  { type: 'callback', state, code: '', query: {} },
  { type: 'callback', state, code: ['a', 'b'], query: {} },
  { type: 'callback', state, code: 'c', query: 'a=b' },
  { type: 'callback', state, code: 'c', query: { a: 1 } },
  { type: 'callback', state, code: 'c', query: { state: 'another' } },
  { type: 'error', state },
])('[B-415] %o is malformed', (message) => {
  expect(read(message)).toEqual({ type: 'malformed' })
})

test.for(['', 'hello', 'null', '[]', '"callback"', '{"type":'])('[B-415] %s is no message', (text) => {
  expect(readMessage(text, state)).toEqual({ type: 'malformed' })
})
