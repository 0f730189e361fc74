import { expect, test } from 'vitest'
import { joinInstallation } from '../workspace-cli/installation.ts'
import { runGuide } from '../workspace-cli/run-guide.ts'

test('[CLI-220][CLI-221][CLI-222][CLI-225] the commands of the guide run as they are, one after the other', {
  timeout: 240_000,
}, async () => {
  const site = await joinInstallation()
  const scopes = [`panels:${site.owner}/*`, `devices:command:${site.owner}/*`]
  await using user = await site.shell(...scopes)
  const { blocks, stdout } = await runGuide('your-first-device.md', site, user, scopes)
  expect(blocks).toBe(5)
  expect(stdout).toMatch(/ {2}temperature {2}21\.5$/m)
  const { devices, stop } = await user.json<{ devices: unknown[]; stop: object }>(
    'device',
    'list',
    `${site.owner}/bench`,
  )
  expect([devices, stop]).toMatchObject([[], { reason: 'End of the guide' }])
})
