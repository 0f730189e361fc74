import { isRunning } from '@patchbay/primitives/process'
import { deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { exitOf, makePlace, startWatchdogProcess } from './start.ts'

test('[B-309] SIGTERM stops the gateway, then the watchdog, with exit code 0', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place)
  const { gateway } = await dog.until('healthy')
  dog.child.kill('SIGTERM')
  expect(await exitOf(dog)).toBe(0)
  expect(isRunning(gateway.pid ?? 0)).toBe(false)
  await using next = await startWatchdogProcess(place)
  const status = await next.until('healthy')
  expect(status).toMatchObject({ wanted: 'running', restartCount: 0, gateway: { adopted: false } })
  expect(status.lastExit).toMatchObject({ code: 0 })
})

deepTest('[B-309] with LEAVE_RUNNING the gateway goes on, and the next watchdog adopts it', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place, { PATCHBAY_WATCHDOG_LEAVE_RUNNING: 'true' })
  const { gateway } = await dog.until('healthy')
  dog.child.kill('SIGTERM')
  expect(await exitOf(dog)).toBe(0)
  expect(isRunning(gateway.pid ?? 0)).toBe(true)
  await using next = await startWatchdogProcess(place)
  const adopted = await next.until('healthy')
  expect(adopted.gateway).toMatchObject({ pid: gateway.pid, instance: gateway.instance, adopted: true })
})

test('[B-331] a watchdog that is killed leaves an orphan that works, and the next one adopts it', async () => {
  await using place = await makePlace()
  await using dog = await startWatchdogProcess(place)
  const { gateway } = await dog.until('healthy')
  dog.child.kill('SIGKILL')
  await exitOf(dog)
  expect((await fetch(`http://127.0.0.1:${place.gatewayPort}/health`)).status).toBe(200)
  await using next = await startWatchdogProcess(place)
  const adopted = await next.until('healthy')
  expect(adopted).toMatchObject({
    gateway: { pid: gateway.pid, adopted: true },
    orphan: { outcome: 'adopted' },
  })
  next.child.kill('SIGTERM')
  expect(await exitOf(next)).toBe(0)
  expect(isRunning(gateway.pid ?? 0)).toBe(false)
})
