import { readConfig } from '@patchbay/kernel/config'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { startTestServer } from './start.ts'

const whole = (port: number) => ({
  PATCHBAY_MQTT_BROKER_URL: `mqtt://127.0.0.1:${port}`,
  PATCHBAY_MQTT_BROKER_MANAGEMENT_URL: 'http://127.0.0.1:1',
  PATCHBAY_MQTT_BROKER_PASSWORD: 'not-for-anybody',
  PATCHBAY_MQTT_BROKER_SECRET: 'abcdefghijklmnopqrstuvwxyz012345',
})

function faultsOf(environment: Record<string, string>): string {
  try {
    readConfig(serverConfig, { DATABASE_URL: 'postgres://127.0.0.1/none', ...environment })
    return 'none'
  } catch (error) {
    return String(error)
  }
}

test('[S-15] half of the settings of a broker is a fault, and no secret is repeated', () => {
  expect(faultsOf(whole(1883))).toBe('none')
  for (const variable of ['MANAGEMENT_URL', 'PASSWORD', 'SECRET'].map(
    (name) => `PATCHBAY_MQTT_BROKER_${name}`,
  )) {
    const { [variable]: _left, ...others } = whole(1883) as Record<string, string>
    const faults = faultsOf(others)
    expect(faults).toContain(variable)
    expect(faults).not.toContain('not-for-anybody')
  }
  expect(faultsOf({ ...whole(1883), PATCHBAY_MQTT_BROKER_SECRET: 'short' })).toContain('32 letters')
  expect(faultsOf({ ...whole(1883), PATCHBAY_MQTT_PORT: '8799' })).toContain('PATCHBAY_MQTT_PORT')
})

deepTest('[G-66] while the broker is away `/ready` is red and `/health` is green', async () => {
  await using server = await startTestServer(whole(await freePort()))
  const ready = await server.ask('/ready')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ checks: { broker: 'failed', database: 'ok' } })
  expect((await server.ask('/health')).status).toBe(200)
  // Its address is known to whoever has the secret alone.
  expect((await server.ask('/broker/wrong/user', { method: 'POST' })).status).toBe(404)
})
