import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { WebSocketServer } from 'ws'
import { type FlowOptions, startOAuthFlow } from '../../src/index.ts'

const options: FlowOptions = {
  provider: 'example',
  authUrl: 'https://id.example.test/authorize',
  clientId: 'board',
  scopes: 'read',
  gatewayUrl: 'http://127.0.0.1:1',
}

test.for([
  ['provider', { provider: '' }],
  ['provider', { provider: 'x'.repeat(101) }],
  ['label', { label: '' }],
  ['clientId', { clientId: '' }],
  ['scopes', { scopes: ['read'] as unknown as string }],
  ['extraParams.prompt', { extraParams: { prompt: 1 as unknown as string } }],
  ['issuer', { issuer: '' }],
  ['requireIss', { requireIss: true }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: Number.NaN }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
  ['connectTimeoutMs', { connectTimeoutMs: -1 }],
  ['pingIntervalMs', { pingIntervalMs: Number.POSITIVE_INFINITY }],
  ['gatewayUrl', { gatewayUrl: 'http://gw.example.test' }],
] as const)('[B-407] %s in %o is refused', async ([option, wrong]) => {
  const refused = startOAuthFlow({ ...options, ...wrong })
  await expect(refused).rejects.toThrow(TypeError)
  await expect(refused).rejects.toThrow(option)
})

deepTest.concurrent('[B-408] nobody listens: it is tried again until the time is up', async () => {
  const gatewayUrl = `http://127.0.0.1:${await freePort()}`
  const startedAt = performance.now()
  const refused = startOAuthFlow({ ...options, gatewayUrl, connectTimeoutMs: 600 })
  await expect(refused).rejects.toMatchObject({
    name: 'OAuthFlowError',
    code: 'gateway_unreachable',
    cause: { code: 'ECONNREFUSED' },
  })
  expect(performance.now() - startedAt).toBeGreaterThan(550)
})

test.concurrent('[B-408] something else listens: it is said at once, with what it answered', async () => {
  await using server = await startRefusing(404)
  const refused = startOAuthFlow({ ...options, gatewayUrl: server.url, connectTimeoutMs: 60_000 })
  await expect(refused).rejects.toMatchObject({
    code: 'gateway_unreachable',
    message: expect.stringContaining('404'),
  })
  expect(server.asked()).toBe(1)
})

deepTest.concurrent('[B-408] a gateway that is busy is asked again', async () => {
  await using server = await startRefusing(503)
  const refused = startOAuthFlow({ ...options, gatewayUrl: server.url, connectTimeoutMs: 1_200 })
  await expect(refused).rejects.toMatchObject({
    code: 'gateway_unreachable',
    message: expect.stringContaining('503'),
  })
  expect(server.asked()).toBeGreaterThan(1)
})

test.for([
  ['speaks something else', 'hello'],
  ['sends more than any gateway does', JSON.stringify({ type: 'applause', text: 'x'.repeat(70_000) })],
])('[B-415] a WebSocket that %s is no gateway', async ([, greeting = '']) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws' })
  server.on('connection', (socket) => socket.send(greeting))
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  const gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(startOAuthFlow({ ...options, gatewayUrl })).rejects.toMatchObject({ code: 'gateway_error' })
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

test('[B-412] an aborted signal opens nothing', async () => {
  await using server = await startRefusing(503)
  const refused = startOAuthFlow({ ...options, gatewayUrl: server.url, signal: AbortSignal.abort() })
  await expect(refused).rejects.toMatchObject({ code: 'aborted' })
  expect(server.asked()).toBe(0)
})

test('[B-412] an abort ends the search for a gateway', async () => {
  await using server = await startRefusing(503)
  const abort = new AbortController()
  const refused = startOAuthFlow({ ...options, gatewayUrl: server.url, signal: abort.signal })
  setTimeout(() => abort.abort(), 100)
  await expect(refused).rejects.toMatchObject({ code: 'aborted' })
})

/** A web server that opens no WebSocket. */
async function startRefusing(status: number) {
  let asked = 0
  const server = createServer()
  server.on('upgrade', (_request, socket) => {
    asked += 1
    // The client hangs up as soon as it has read the status, and the reset may overtake our own end.
    socket.on('error', () => {})
    socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
