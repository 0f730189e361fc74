import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { isRunning } from '@patchbay/primitives/process'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { askHealth } from '../src/health.io.ts'
import { judge } from '../src/health.ts'
import { startTestWatchdog, untilGone } from './start.ts'

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const MEASURED = { at: '2026', durationMs: 1 }

test.concurrent('[B-300] each check comes on a connection of its own, at its interval', async () => {
  const ports = new Set<number | undefined>()
  let asked = 0
  await using gateway = await listen((request, response) => {
    asked += 1
    ports.add(request.socket.remotePort)
    response.end('{}')
  })
  for (let count = 0; count < 3; count += 1) await askHealth(gateway.url, 5_000)
  expect({ asked, ports: ports.size }).toEqual({ asked: 3, ports: 3 })
})

test.concurrent('[B-300] the timeout covers the whole answer, also one that trickles', async () => {
  await using gateway = await listen((_request, response) => {
    response.write('{')
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  // It drips forever: a timeout that began anew with each byte would never be over.
  expect((await askHealth(gateway.url, 300)).kind).toBe('silent')
})

test.concurrent('[B-303] 200 with the right instance is healthy, everything else is not', async () => {
  let reply: { status: number; body: string } = { status: 200, body: '' }
  await using gateway = await listen((_request, response) => {
    response.writeHead(reply.status).end(reply.body)
  })
  const check = async (status: number, body: string) => {
    reply = { status, body }
    return judge(await askHealth(gateway.url, 5_000), 'mine', MEASURED)
  }
  expect(await check(200, '{"instance":"mine"}')).toMatchObject({ ok: true, reason: undefined })
  expect((await check(200, '{"instance":"other"}')).ok).toBe(false)
  expect((await check(200, '{}')).ok).toBe(false)
  expect((await check(200, 'not json')).ok).toBe(false)
  expect((await check(200, `"${'x'.repeat(200_000)}"`)).ok).toBe(false)
  expect((await check(503, '{"instance":"mine"}')).ok).toBe(false)
  expect((await check(302, '{"instance":"mine"}')).ok).toBe(false)
})

test.concurrent('[B-303] nobody, silence and what is not HTTP are told apart', async () => {
  expect((await askHealth(`http://127.0.0.1:${await freePort()}`, 5_000)).kind).toBe('nobody')
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('220 mail\r\n'))
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as { port: number }
  expect((await askHealth(`http://127.0.0.1:${port}`, 5_000)).kind).toBe('broken')
  await new Promise((resolve) => tcp.close(resolve))
})

deepTest.concurrent('[B-301] a gateway that answers 500 three times is replaced', async () => {
  await using dog = await startTestWatchdog({ timings: { pollIntervalMs: 1_000 } })
  const { gateway } = await dog.until('healthy')
  await fetch(`${dog.gatewayUrl}/sick`)
  await waitUntil('it was restarted', () => dog.status().restarts.unhealthy > 0)
  const after = await dog.until('healthy')
  expect(after.gateway.pid).not.toBe(gateway.pid)
  expect(after.gateway.instance).not.toBe(gateway.instance)
  expect(after).toMatchObject({ restartCount: after.restarts.unhealthy, consecutiveFailures: 0 })
})

deepTest.concurrent('[B-304] with auto-restart off a sick gateway is only reported', async () => {
  await using dog = await startTestWatchdog({ autoRestart: false, timings: { pollIntervalMs: 50 } })
  const { gateway } = await dog.until('healthy')
  await fetch(`${dog.gatewayUrl}/sick`)
  await waitUntil('many checks failed', () => dog.status().consecutiveFailures > 6)
  expect(dog.status()).toMatchObject({ state: 'unhealthy', restartCount: 0, gateway: { pid: gateway.pid } })
  expect(isRunning(gateway.pid ?? 0)).toBe(true)
  process.kill(gateway.pid ?? 0, 'SIGKILL')
  expect(await dog.until('stopped')).toMatchObject({
    wanted: 'running',
    lastExit: { signal: 'SIGKILL' },
    gateway: { pid: null },
  })
})

test.concurrent('[B-305] the first answer shows long before the next regular check', async () => {
  await using dog = await startTestWatchdog({ timings: { pollIntervalMs: 600_000 } })
  expect((await dog.until('healthy')).lastHealthCheck).toMatchObject({ ok: true, reason: null })
})

deepTest.concurrent('[B-307] one that hangs is killed after a moment, not after its drain', async () => {
  await using dog = await startTestWatchdog({
    timings: { pollIntervalMs: 1_000, healthTimeoutMs: 300, drainMs: 600_000, unresponsiveGraceMs: 100 },
  })
  const { gateway } = await dog.until('healthy')
  process.kill(gateway.pid ?? 0, 'SIGSTOP')
  await untilGone(gateway.pid ?? 0)
  const after = await dog.until('healthy')
  expect(after.lastExit).toMatchObject({ signal: 'SIGKILL', code: null })
  expect(after.restarts.unhealthy).toBeGreaterThanOrEqual(1)
})
