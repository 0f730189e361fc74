import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isOwnWish } from '../../src/service/connect-service.ts'

const host = 'app.example.test'
const asks = (headers: IncomingHttpHeaders, trusted: readonly string[] = []) =>
  isOwnWish({ host, ...headers }, trusted)

describe('who may start a flow', () => {
  test.for<IncomingHttpHeaders>([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
    { referer: `https://${host}/settings` },
  ])('[B-453] %o starts one', (headers) => {
    expect(asks(headers)).toBe(true)
  })

  test.for<IncomingHttpHeaders>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', referer: `https://${host}/settings` },
    { 'sec-fetch-site': 'same-site', referer: `https://${host}:8443/` },
    { 'sec-fetch-site': 'something-new' },
    { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch;prerender' },
    { 'sec-fetch-site': 'none', purpose: 'prefetch' },
    { referer: 'https://evil.example.test/' },
    { referer: `https://${host}.evil.example.test/` },
    { referer: 'not an address' },
  ])('[B-453] %o starts nothing', (headers) => {
    expect(asks(headers)).toBe(false)
  })

  test('[B-453] a listed origin starts one, its neighbor does not', () => {
    const trusted = ['http://localhost:5173']
    const from = (referer: string) => asks({ 'sec-fetch-site': 'same-site', referer }, trusted)
    expect(from('http://localhost:5173/connect')).toBe(true)
    expect(from('http://localhost:51730/connect')).toBe(false)
    expect(from('http://localhost:5174/?http://localhost:5173')).toBe(false)
  })
})
