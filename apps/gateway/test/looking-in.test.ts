import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { waitUntil } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { gatewayMessageReference, gatewayOpenApi } from '../src/index.ts'
import { startTestGateway } from './start.ts'

test('[B-60][B-63] health reports pending, uptime and the instance the watchdog gave', async () => {
  await using gateway = await startTestGateway({ environment: { PATCHBAY_GATEWAY_INSTANCE: 'abc-123' } })
  await using client = await gateway.connect()
  await client.register(randomUUID())
  const answer = await gateway.ask('/health')
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: 'ok', pending: 1, uptime_seconds: expect.any(Number), instance: 'abc-123' },
  ])
})

test('[B-60][B-61] without Redis health is 200, ready is 503, and status counts this node', async () => {
  await using redis = await startRedis()
  await using gateway = await startTestGateway({ environment: { REDIS_URL: redis.url } })
  await using client = await gateway.connect()
  await client.register(randomUUID())
  expect(await (await gateway.ask('/status')).json()).toMatchObject({ bus: 'reachable', pending: 1 })
  await redis.kill()
  await waitUntil('ready is 503', async () => (await gateway.ask('/ready')).status === 503)
  const health = await gateway.ask('/health')
  expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ pending: 1 })])
  expect(await (await gateway.ask('/status')).json()).toMatchObject({ bus: 'unreachable', pending: 1 })
  await redis.restart()
})

test('[B-61] status shows what an operator needs', async () => {
  await using gateway = await startTestGateway({ environment: { PATCHBAY_GATEWAY_DELIVERY: 'confirm' } })
  await using client = await gateway.connect()
  await client.register(randomUUID())
  expect(await (await gateway.ask('/status')).json()).toEqual({
    status: 'ok',
    pending: 1,
    pendingHere: 1,
    sockets: 1,
    uptimeSeconds: expect.any(Number),
    bus: 'in-process',
    delivery: 'confirm',
    callbackUrl: gateway.url.replace('127.0.0.1', 'localhost') + '/callback',
    node: expect.stringMatching(/^gw-/),
    version: expect.stringMatching(/^\d/),
  })
})

test('[B-62][B-72] metrics count what happened, and hold nothing that somebody sent', async () => {
  await using gateway = await startTestGateway()
  await using client = await gateway.connect()
  const state = randomUUID()
  await client.register(state, { provider: 'Provider-X', label: 'Label-Y' })
  await client.register(state)
  await gateway.callback({ code: 'Code-Z', state })
  await gateway.callback({ code: 'Code-Z', state })
  const text = await (await gateway.ask('/metrics')).text()
  const value = (series: string) =>
    Number(new RegExp(`^${series.replaceAll(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1])
  const of = (name: string, label: string, key: string) =>
    value(`patchbay_gateway_${name}{${label}="${key}",process="gateway"}`)
  expect([
    of('registrations_total', 'event', 'registered'),
    of('registrations_total', 'event', 'refused'),
    of('registrations_total', 'event', 'delivered'),
    of('registrations_total', 'event', 'expired'),
    of('callbacks_total', 'outcome', 'done'),
    of('callbacks_total', 'outcome', 'unknown-state'),
    of('held', 'what', 'sockets'),
    of('held', 'what', 'pending'),
  ]).toEqual([1, 1, 1, 0, 1, 1, 1, 0])
  for (const secret of [state, 'Provider-X', 'Label-Y', 'Code-Z']) {
    expect(text).not.toContain(secret)
    expect(gateway.lines.join('')).not.toContain(secret)
  }
})

test('[B-71] a page of another origin gets no socket, a listed one and programs do', async () => {
  await using gateway = await startTestGateway({
    environment: { PATCHBAY_GATEWAY_ALLOWED_ORIGINS: 'https://app.example.test' },
  })
  const from = (origin: string) => gateway.connect({ headers: { origin } })
  await expect(from('https://evil.example.test')).rejects.toThrow('403')
  await expect(from('null')).rejects.toThrow('403')
  await using listed = await from('https://app.example.test')
  await using own = await from(gateway.url)
  await using program = await gateway.connect()
  for (const client of [listed, own, program])
    expect(await client.register(randomUUID())).toMatchObject({ type: 'registered' })
})

test('[B-61] the committed OpenAPI document is the one a running gateway gives', async () => {
  await using gateway = await startTestGateway()
  const live = await (await gateway.ask('/openapi.json')).json()
  expect(live).toEqual(JSON.parse(gatewayOpenApi()))
  const committed = readFileSync(
    new URL('../../../docs/reference/gateway-openapi.json', import.meta.url),
    'utf8',
  )
  expect(JSON.parse(committed)).toEqual(live)
})

test('[B-9] the committed reference of messages is made from the schemas', () => {
  const committed = readFileSync(
    new URL('../../../docs/reference/gateway-messages.md', import.meta.url),
    'utf8',
  )
  expect(committed).toBe(`${gatewayMessageReference().trimEnd()}\n`)
  expect(committed).toContain('`state_taken`')
})
