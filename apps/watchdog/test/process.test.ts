import { readFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { checkWatchdogConfig, watchdogConfig, watchdogOpenApi } from '../src/index.ts'
import { exitOf, launch, makePlace, recordingSurroundings, startWatchdogProcess } from './start.ts'

deepTest('[B-342] a second watchdog on the same folder says why it does not start', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place)
  const { gateway } = await dog.until('healthy')
  await using second = launch(place)
  expect(await exitOf(second)).toBe(1)
  expect(second.output()).toContain(`Another watchdog (process ${dog.pid}) uses the state folder`)
  expect((await dog.status()).gateway.pid).toBe(gateway.pid)
})

deepTest('[B-342] nor does one on the same port, and it starts no gateway', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place)
  await using elsewhere = await makePlace()
  await using second = launch(elsewhere, { PATCHBAY_WATCHDOG_PORT: new URL(dog.url).port })
  expect(await exitOf(second)).toBe(1)
  expect(second.output()).toContain('EADDRINUSE')
  expect(second.output()).not.toContain('gateway started')
})

deepTest('[B-352] off loopback it refuses to start without a token', async () => {
  await using place = await makePlace()
  await using dog = launch(place, { PATCHBAY_WATCHDOG_HOST: '0.0.0.0' })
  expect(await exitOf(dog)).toBe(78)
  expect(dog.output()).toMatch(
    /PATCHBAY_WATCHDOG_TOKEN: is not set, but PATCHBAY_WATCHDOG_HOST \(0\.0\.0\.0\)/,
  )
})

test.each([
  ['127.0.0.1', []],
  ['127.8.8.8', []],
  ['localhost', []],
  ['::1', []],
  ['::', [78]],
  ['192.0.2.1', [78]],
  ['127.evil.example', [78]],
])('[B-352] %s without a token ends with %j', (host, exits) => {
  const surroundings = recordingSurroundings({ PATCHBAY_WATCHDOG_HOST: host })
  checkWatchdogConfig(surroundings)
  expect(surroundings.exits).toEqual(exits)
  expect(watchdogConfig.settings.host.fallback).toBe('127.0.0.1')
})

test('[B-352] a gateway whose port nobody knows cannot be watched', () => {
  const surroundings = recordingSurroundings({ PATCHBAY_GATEWAY_PORT: '0' })
  checkWatchdogConfig(surroundings)
  expect(surroundings.exits).toEqual([78])
  expect(surroundings.errors[0]).toContain('PATCHBAY_GATEWAY_PORT: is 0')
})

deepTest('[B-356] the document of a running watchdog and the printed one are the same', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place)
  const live = await (await fetch(`${dog.url}/openapi.json`)).json()
  expect(JSON.parse(watchdogOpenApi())).toEqual(live)
})

test('[B-356] the committed document is the printed one', async () => {
  const committed = new URL('../../../docs/reference/watchdog-openapi.json', import.meta.url)
  expect(JSON.parse(await readFile(committed, 'utf8'))).toEqual(JSON.parse(watchdogOpenApi()))
})

test('[B-360] the gateway gets the environment without the settings of the watchdog', async () => {
  await using place = await makePlace()
  const token = 'nothing-for-gateways'
  await using dog = await startWatchdogProcess(place, {
    PATCHBAY_WATCHDOG_TOKEN: token,
    PATCHBAY_GATEWAY_PORT: '1234',
    PROXY_OF_SOMEBODY: 'x',
  })
  const { gateway } = await dog.until('healthy')
  const text = await (await fetch(`http://127.0.0.1:${place.gatewayPort}/environment`)).text()
  const environment = JSON.parse(text) as Record<string, string>
  expect(environment).toMatchObject({
    PATCHBAY_GATEWAY_INSTANCE: gateway.instance,
    PATCHBAY_GATEWAY_PORT: '1234',
    PROXY_OF_SOMEBODY: 'x',
  })
  expect(Object.keys(environment).filter((name) => name.startsWith('PATCHBAY_WATCHDOG_'))).toEqual([])
  expect(text).not.toContain(token)
  expect(dog.output()).not.toContain(token)
})
