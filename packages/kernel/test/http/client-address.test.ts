import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddress, isLoopbackHost } from '../../src/http/index.ts'

/** What a real server says about a request with these headers. */
async function addressSeen(trusted: readonly string[], forwardedFor?: string): Promise<string> {
  const seen = Promise.withResolvers<string>()
  const server = createServer((request: IncomingMessage, response) => {
    seen.resolve(clientAddress(trusted)(request))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    await fetch(`http://127.0.0.1:${port}/`, { headers })
    return await seen.promise
  } finally {
    server.close()
  }
}

test.each([
  ['nobody is trusted', [], '203.0.113.7', '127.0.0.1'],
  ['a proxy is trusted', ['127.0.0.1'], '203.0.113.7', '203.0.113.7'],
  ['the client made some up', ['127.0.0.1'], '10.9.9.9, 203.0.113.7', '203.0.113.7'],
  ['two proxies are trusted', ['127.0.0.0/8', '10.0.0.0/8'], '203.0.113.7, 10.1.1.1', '203.0.113.7'],
  ['a mapped address', ['127.0.0.1'], '::ffff:203.0.113.7', '203.0.113.7'],
  ['a short IPv6 address', ['127.0.0.1'], '2001:db8::1', '2001:db8:0:0::/64'],
  ['a long IPv6 address', ['127.0.0.1'], '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['an IPv6 address that ends in zeros', ['127.0.0.1'], '2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['the IPv6 loopback', ['127.0.0.1'], '::1', '0:0:0:0::/64'],
] as const)('[K-221] %s', async (_, trusted, forwardedFor, address) => {
  expect(await addressSeen(trusted, forwardedFor)).toBe(address)
})

test('[K-221] without a proxy it is the peer', async () => {
  expect(await addressSeen(['127.0.0.1'])).toBe('127.0.0.1')
})

test.each(['localhost', 'gw.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])(
  '[K-224] %s is this machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true)
  },
)

test.each([
  '0.0.0.0',
  '::',
  '10.0.0.1',
  'localhost.example.test',
  '127.0.0.1.example.test',
  '127.example.test',
  '',
  'xlocalhost',
])('[K-224] "%s" may be another one', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
})
