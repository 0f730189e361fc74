import { fileURLToPath } from 'node:url'
import { call } from '@patchbay/contracts/core'
import { getGatewayStatus } from '@patchbay/contracts/gateway'
import { isRunning } from '@patchbay/primitives/process'
import { expect, test } from 'vitest'
import { exitOf, makePlace, startWatchdogProcess } from './start.ts'

const CLI = fileURLToPath(new URL('../../cli/test/command.ts', import.meta.url))

test('[B-373] the real gateway is started, recognized, restarted and stopped', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place, { PATCHBAY_GATEWAY_PORT: String(place.gatewayPort) }, [
    process.execPath,
    CLI,
    'gateway',
  ])
  const first = await dog.until('healthy')
  const baseUrl = `http://127.0.0.1:${place.gatewayPort}`
  expect((await call(getGatewayStatus, {}, { baseUrl })).body).toMatchObject({ status: 'ok', pending: 0 })
  expect((await fetch(`${dog.url}/restart`, { method: 'POST' })).status).toBe(200)
  const second = await dog.until('healthy')
  expect(second).toMatchObject({ restarts: { commanded: 1 }, lastExit: { code: 0 } })
  expect(second.gateway.pid).not.toBe(first.gateway.pid)
  dog.child.kill('SIGTERM')
  expect(await exitOf(dog)).toBe(0)
  expect(isRunning(second.gateway.pid ?? 0)).toBe(false)
})
