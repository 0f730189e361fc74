import { type FlowOptions, startOAuthFlow } from '@patchbay/oauth-client'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startRedis } from '@patchbay/testkit/redis'
import { expect } from 'vitest'
import { startCuttableProxy } from './cuttable-proxy.ts'
import { pendingIs, resumedIs, startGateway, startGatewayAt, startGatewayProcess } from './start-gateway.ts'

const options: FlowOptions = {
  provider: 'example',
  authUrl: 'https://id.example.test/authorize',
  clientId: 'board',
  scopes: 'read',
}

deepTest('[B-431] the node drains, and the flow goes on at another', async () => {
  await using redis = await startRedis()
  await using first = await startGateway({ REDIS_URL: redis.url })
  await using second = await startGateway({ REDIS_URL: redis.url })
  await using proxy = await startCuttableProxy(first.port)
  await using flow = await startOAuthFlow({ ...options, gatewayUrl: proxy.url })
  proxy.retarget(second.port)
  await first[Symbol.asyncDispose]()
  await resumedIs(second, 1)
  expect(await second.answer({ state: flow.state, code: 'moved' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'moved' })
})

test('[B-435] the gateway has lost its engine when the flow starts', async () => {
  await using redis = await startRedis()
  await using gateway = await startGateway({ REDIS_URL: redis.url })
  await redis.kill()
  const refused = startOAuthFlow({ ...options, gatewayUrl: gateway.url, connectTimeoutMs: 1_000 })
  await expect(refused).rejects.toMatchObject({ code: 'gateway_unreachable' })
  const starting = startOAuthFlow({ ...options, gatewayUrl: gateway.url, connectTimeoutMs: 25_000 })
  await redis.restart()
  await using flow = await starting
  expect(await gateway.answer({ state: flow.state, code: 'patient' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'patient' })
})

test('[B-432] the gateway ends and starts again, knowing nothing', async () => {
  await using first = await startGateway()
  await using flow = await startOAuthFlow({ ...options, gatewayUrl: first.url })
  await first[Symbol.asyncDispose]()
  await using second = await startGatewayAt(first.port)
  await pendingIs(second, 1)
  expect(await second.answer({ state: flow.state, code: 'survivor' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'survivor' })
})

deepTest.for(['SIGKILL', 'SIGTERM'] as const)(
  '[B-432] the gateway ends with %s and starts again, knowing nothing',
  async (signal) => {
    await using first = await startGatewayProcess()
    await using flow = await startOAuthFlow({ ...options, gatewayUrl: first.url })
    await first.process.kill(signal)
    await using second = await startGatewayProcess(first.port)
    await pendingIs(second, 1)
    expect(await second.answer({ state: flow.state, code: 'survivor' })).toBe('/callback/result/done')
    expect(await flow.waitForCode()).toMatchObject({ code: 'survivor' })
  },
)
