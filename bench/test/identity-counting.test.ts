import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { loadWith } from '../src/http.ts'
import { openStream, requireEvent } from '../src/identity/stream-socket.ts'
import { requireCounted } from '../src/identity/throughput.ts'
import { requireHeld } from '../src/memory.ts'

async function startPuppet(status: number, body: string) {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const load = { requests: [{ method: 'POST', path: '/', body: 'anything' }], connections: 4, seconds: 0.5 }

deepTest.concurrent('[BN-11] answers that succeed are counted', async () => {
  await using puppet = await startPuppet(200, 'fine')
  const { requests } = await loadWith({ ...load, port: puppet.port })
  expect(requests).toBeGreaterThan(10)
})

deepTest.concurrent('[BN-11] a refused request fails the measurement', async () => {
  await using puppet = await startPuppet(429, 'too many')
  await expect(loadWith({ ...load, port: puppet.port })).rejects.toThrow('requests were refused')
})

test('[BN-11] what was counted must be in the database, give or take what was under way', () => {
  expect(() => requireCounted('create', 1_000, 1_000)).not.toThrow()
  expect(() => requireCounted('create', 1_000, 1_016)).not.toThrow()
  expect(() => requireCounted('create', 1_000, 999)).toThrow('1000 were counted, 999 are in the database')
  expect(() => requireCounted('create', 1_000, 2_000)).toThrow('2000 are in the database')
  expect(() => requireCounted('create', Number.NaN, 0)).toThrow('nothing was measured')
})

test('[BN-11] a server that does not open a stream fails the measurement', async () => {
  await using puppet = await startPuppet(429, 'too many')
  await expect(openStream(puppet.port, 1)).rejects.toThrow('refused')
})

test('[BN-11] a server that lost streams fails the measurement', () => {
  expect(() => requireHeld(10, 10)).not.toThrow()
  expect(() => requireHeld(9, 10)).toThrow('9 are open instead of 10')
})

test('[BN-11] a stream ends with its session exactly once', () => {
  const event = `event: authenticated\ndata: {"session_token":"tok_${'a'.repeat(43)}"}\n\n`
  expect(() => requireEvent(event)).not.toThrow()
  expect(() => requireEvent(event + event)).toThrow('a stream ended with')
  expect(() => requireEvent('event: timeout\ndata:\n\n')).toThrow('timeout')
  expect(() => requireEvent('')).toThrow('a stream ended with')
})
