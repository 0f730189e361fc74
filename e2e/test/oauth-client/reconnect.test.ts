import { type FlowOptions, startOAuthFlow } from '@patchbay/oauth-client'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { startCuttableProxy } from './cuttable-proxy.ts'
import { resumedIs, startGateway } from './start-gateway.ts'

const options: FlowOptions = {
  provider: 'example',
  authUrl: 'https://id.example.test/authorize',
  clientId: 'board',
  scopes: 'read',
}

/** A gateway behind a network that can be broken, and a flow across it. */
async function startBreakable(changes: Partial<FlowOptions> = {}) {
  await using cleanup = new AsyncDisposableStack()
  const gateway = cleanup.use(await startGateway())
  const proxy = cleanup.use(await startCuttableProxy(gateway.port))
  const flow = cleanup.use(await startOAuthFlow({ ...options, gatewayUrl: proxy.url, ...changes }))
  const owned = cleanup.move()
  return { gateway, proxy, flow, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('[B-431] cut, connected again, and the code arrives; as often as it takes', async () => {
  await using world = await startBreakable()
  const { gateway, proxy, flow } = world
  for (let cuts = 0; cuts < 3; cuts += 1) {
    proxy.cut()
    await resumedIs(gateway, cuts + 1)
  }
  expect(await gateway.answer({ state: flow.state, code: 'after' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'after' })
})

deepTest('[B-431] the person comes back while there is no connection', async () => {
  await using world = await startBreakable()
  const { gateway, proxy, flow } = world
  proxy.close(true)
  proxy.cut()
  await waitUntil('an attempt failed', () => proxy.refused() > 0)
  const answered = gateway.answer({ state: flow.state, code: 'in the gap' })
  await waitUntil('another attempt failed', () => proxy.refused() > 1)
  proxy.close(false)
  expect(await flow.waitForCode()).toMatchObject({ code: 'in the gap' })
  expect(await answered).toBe('/callback/result/done')
})

test('[B-433] a connection that has gone silent is replaced', async () => {
  await using world = await startBreakable({ pingIntervalMs: 300 })
  const { gateway, proxy, flow } = world
  proxy.freeze()
  await resumedIs(gateway, 1)
  expect(await gateway.answer({ state: flow.state, code: 'heard' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'heard' })
})

deepTest('[B-433] a connection that answers its pings stays', async () => {
  await using world = await startBreakable({ pingIntervalMs: 700 })
  const { proxy, flow, gateway } = world
  // Any attempt to replace it would be turned away here.
  proxy.close(true)
  const before = proxy.received()
  await waitUntil('three pings went out', () => proxy.received() >= before + 3)
  expect(proxy.refused()).toBe(0)
  expect(await gateway.answer({ state: flow.state, code: 'alive' })).toBe('/callback/result/done')
  expect(await flow.waitForCode()).toMatchObject({ code: 'alive' })
})

test('[B-434] the code was lost on the way: the flow says so instead of waiting on', async () => {
  await using world = await startBreakable()
  const { gateway, proxy, flow } = world
  proxy.freeze()
  expect(await gateway.answer({ state: flow.state, code: 'lost' })).toBe('/callback/result/done')
  proxy.cut()
  await expect(flow.waitForCode()).rejects.toMatchObject({ code: 'registration_lost', reason: 'state_taken' })
})
