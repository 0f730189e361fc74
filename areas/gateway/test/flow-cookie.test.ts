import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findKeptAnswer, flowOf, forgetAnswer, keepAnswer } from '../src/flow-cookie.ts'

const PATH = '/callback/confirm/x'

/** What a browser sends back: not those that have ended. */
function cookieHeader(setCookies: readonly string[] = [], others: readonly string[] = []): string {
  const kept = setCookies.filter((text) => !text.includes('Max-Age=0')).map((text) => text.split('; ')[0])
  return [...others, ...kept].join('; ')
}

test('[B-33] what is kept comes back, whatever the provider sent', () => {
  const parameters = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(parameters, fc.uuid(), (pairs, nonce) => {
      const text = new URLSearchParams(pairs).toString()
      const set = keepAnswer({ nonce, text }, PATH, true)
      for (const one of set ?? []) expect(one).toMatch(/^pb-flow\d=[\w.*%&=+-]*; Path=/)
      expect(findKeptAnswer(cookieHeader(set, ['theme=dark', 'x=pb-flow0']))).toEqual({ nonce, text })
    }),
  )
})

test('[B-33] an answer of 12 kB fits into cookies that browsers keep', () => {
  const text = `code=${'c'.repeat(12_000)}`
  const set = keepAnswer({ nonce: 'n'.repeat(22), text }, PATH, true) ?? []
  expect(set.map((one) => one.length <= 4_096)).toEqual(set.map(() => true))
  expect(findKeptAnswer(cookieHeader(set))).toEqual({ nonce: 'n'.repeat(22), text })
  const names = (all: readonly string[]) => all.map((one) => one.split('=')[0])
  expect(names(forgetAnswer(PATH, true))).toEqual(names(set))
})

test('[B-33] one that grows beyond the cookies when it is written is refused, not cut', () => {
  const scope = 'https://api.example.test/read '.repeat(400)
  const kept = keepAnswer({ nonce: 'n', text: `code=a&scope=${scope}` }, PATH, true)
  expect([scope.length, kept === undefined]).toEqual([12_000, true])
})

test('[B-33] a shorter answer after a longer one is not continued by it', () => {
  const first = keepAnswer({ nonce: 'n1', text: `code=${'x'.repeat(6_000)}` }, PATH, false) ?? []
  const second = keepAnswer({ nonce: 'n2', text: 'code=short' }, PATH, false) ?? []
  // A browser replaces by name, and drops those that have ended.
  const jar = new Map([...first, ...second].map((text) => [text.split('=')[0], text]))
  expect(findKeptAnswer(cookieHeader([...jar.values()]))).toEqual({ nonce: 'n2', text: 'code=short' })
  expect(findKeptAnswer(`${cookieHeader(second)}; pb-flow1=`)).toEqual({ nonce: 'n2', text: 'code=short' })
  // One that somebody planted, or that was not removed: nothing is believed.
  expect(findKeptAnswer(`${cookieHeader(second)}; pb-flow1=planted`)).toBeUndefined()
})

test.each([
  undefined,
  '',
  'theme=dark',
  'pb-flow0=',
  'pb-flow0=1..x=1',
  'pb-flow0=n.a=1',
  'pb-flow0=2.n.a=1',
  'pb-flow0=9.n.a=1',
  'pb-flow0=1.n.a=1; pb-flow0=1.n.a=2',
])('[B-33] %s holds no answer', (header) => {
  expect(findKeptAnswer(header)).toBeUndefined()
})

test('[B-33] the name of a flow does not give its state away, and differs from what Redis has', () => {
  const state = '0b0fa3e2-64a5-4f0e-9f3c-2f7bd1a1d0aa'
  expect(flowOf(state)).toMatch(/^[\w-]{22}$/)
  expect(flowOf(state)).toBe(flowOf(state))
  expect(flowOf(state)).not.toBe(flowOf(state.toUpperCase()))
})
