import { expect, test } from 'vitest'
import { parseAssignments, readText } from './files.ts'
import { GATEWAY_DRAIN_SECONDS, readGatewayConfig, readWatchdogConfig } from './gateway-config.ts'
import { noSystemd, rate, readUnit, verify } from './units.ts'

const gateway = await readUnit('patchbay-gateway.service')
const watchdog = await readUnit('patchbay-watchdog.service')
const server = await readUnit('patchbay-server.service')
const file = parseAssignments(await readText('deploy/systemd/gateway.env.example'))
const UNITS = [gateway, watchdog]

test('[DP-300] the gateway accepts what its unit and the example of its environment file give it', () => {
  expect(readGatewayConfig({ ...gateway.environment, ...file })).toMatchObject({
    publicUrl: 'https://gateway.example.com',
    delivery: 'confirm',
    trustedProxies: ['127.0.0.1/32'],
  })
})

test('[DP-300] the watchdog accepts what its unit and the same file give it', () => {
  const config = readWatchdogConfig({ ...watchdog.environment, ...file })
  expect(config).toMatchObject({ host: '127.0.0.1', autoRestart: true, leaveRunning: false })
  expect(config.stateDir).toBe(`/var/lib/${watchdog.directive('StateDirectory')}`)
  expect(watchdog.directive('EnvironmentFile')).toBe(gateway.directive('EnvironmentFile'))
})

test('[DP-301] systemd waits longer than the gateway drains', () => {
  expect(Number(gateway.directive('TimeoutStopSec'))).toBeGreaterThan(GATEWAY_DRAIN_SECONDS)
})

test('[DP-301] systemd waits longer than the watchdog, and the watchdog longer than the gateway', () => {
  const { drainSeconds } = readWatchdogConfig({ ...watchdog.environment, ...file })
  expect(drainSeconds).toBeGreaterThan(GATEWAY_DRAIN_SECONDS)
  // After the drain it kills twice, 5 s apart, and closes its own socket and files within 2 s.
  expect(Number(watchdog.directive('TimeoutStopSec'))).toBeGreaterThan(drainSeconds + 12)
})

test.for([
  { unit: gateway, seconds: 3 },
  { unit: server, seconds: 10 },
])(
  '[DP-309] systemd hears that $unit.name is ready and alive, and kills it when it hangs',
  ({ unit, seconds }) => {
    expect(unit.directive('Type')).toBe('notify')
    // The sender is not the process itself.
    expect(unit.directive('NotifyAccess')).toBe('all')
    expect(Number(unit.directive('WatchdogSec'))).toBe(seconds)
    expect(unit.directive('WatchdogSignal')).toBe('SIGKILL')
    expect(unit.directive('Restart')).toBe('on-failure')
  },
)

test.skipIf(noSystemd)('[DP-310] systemd accepts both units without a remark', async () => {
  expect(await verify(UNITS)).toEqual({ code: 0, output: '' })
})

test.skipIf(noSystemd).for(UNITS)(
  '[DP-310] the exposure of $name is rated 1.5 of 10 or less',
  async (unit) => {
    expect(await rate(unit)).toMatchObject({ code: 0 })
  },
)

test.for(UNITS)("[DP-310] $name is confined as the server's unit is", ({ text }) => {
  const confinement = /^NoNewPrivileges=[\s\S]*?(?=\n\n)/m
  const withoutComments = (unit: string) => confinement.exec(unit)?.[0].replaceAll(/^#.*\n/gm, '')
  expect(withoutComments(text)).toBeDefined()
  expect(withoutComments(text)).toBe(withoutComments(server.text))
})

test('[DP-311] one unit takes the place of the other, which has ended by then', () => {
  expect(gateway.directive('Conflicts')).toBe(watchdog.name)
  expect(watchdog.directive('Conflicts')).toBe(gateway.name)
  // With an order between them, in whatever direction, systemd finishes stopping before it starts.
  expect(watchdog.directive('After').split(' ')).toContain(gateway.name)
})

test('[DP-312] SIGTERM is for the watchdog alone, and it outlives a gateway that ran out of memory', () => {
  expect(watchdog.directive('ExecStart')).toBe(
    '/usr/bin/node node_modules/@patchbay/cli/dist/main.js watchdog run',
  )
  expect(watchdog.directive('KillMode')).toBe('mixed')
  expect(watchdog.directive('OOMPolicy')).toBe('continue')
  expect(watchdog.directive('StateDirectoryMode')).toBe('0700')
})

test.for(UNITS)('[DP-313] $name starts again after a crash, but not after a faulty configuration', (unit) => {
  expect(unit.directive('Restart')).toBe('on-failure')
  expect(unit.directive('RestartPreventExitStatus')).toBe('78')
})
