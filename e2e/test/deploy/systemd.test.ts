import { expect, test } from 'vitest'
import { parseAssignments, readText } from './files.ts'
import { DRAIN_SECONDS, readServerConfig } from './server-config.ts'
import { noSystemd, rate, readUnit, verify } from './units.ts'

const unit = await readUnit('patchbay-server.service')

test('[DP-101] the server accepts what the unit and the example of its environment file give it', async () => {
  const config = readServerConfig({
    ...unit.environment,
    ...parseAssignments(await readText('deploy/systemd/server.env.example')),
  })
  expect(config).toMatchObject({
    publicUrl: 'https://patchbay.example.com',
    trustedProxies: ['127.0.0.1/32'],
  })
  expect(config.objectsUrl).toBe(`file:///var/lib/${unit.directive('StateDirectory')}/objects`)
})

test('[DP-102] systemd waits longer than the server drains', () => {
  expect(Number(unit.directive('TimeoutStopSec'))).toBeGreaterThan(DRAIN_SECONDS)
})

test.skipIf(noSystemd)('[DP-131] systemd accepts the unit without a remark', async () => {
  expect(await verify([unit])).toEqual({ code: 0, output: '' })
})

test.skipIf(noSystemd)('[DP-131] systemd would remark on a misspelled directive', async () => {
  const { output } = await verify([{ ...unit, text: unit.text.replace('ProtectSystem=', 'ProtectSytem=') }])
  expect(output).toContain('ProtectSytem')
})

test.skipIf(noSystemd)('[DP-132] its exposure is rated 1.5 of 10 or less', async () => {
  expect(await rate(unit)).toMatchObject({ code: 0 })
})

test('[DP-133] it starts again after a crash, but not after a faulty configuration', () => {
  expect(unit.directive('Restart')).toBe('on-failure')
  expect(unit.directive('RestartPreventExitStatus')).toBe('78')
})
