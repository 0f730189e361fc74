import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CLI } from '@patchbay/cli/test/user'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { joinInstallation } from '../workspace-cli/installation.ts'

const GUIDE = new URL('../../../docs/guides/your-first-device.md', import.meta.url)

test('[CLI-220][CLI-221][CLI-222][CLI-225] the commands of the guide run as they are, one after the other', {
  timeout: 240_000,
}, async () => {
  const site = await joinInstallation()
  const scopes = [`panels:${site.owner}/*`, `devices:command:${site.owner}/*`]
  await using user = await site.shell(...scopes)
  const guide = await readFile(GUIDE, 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(5)
  const script = blocks.join('').replaceAll('ada/', `${site.owner}/`)
  await mkdir(user.at('bin'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`
  await writeFile(user.at('bin', 'patchbay'), command, { mode: 0o755 })
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: user.home,
    env: withCompiledCode({
      ...(await site.environment(...scopes)),
      HOME: user.home,
      PATH: `${user.at('bin')}:${process.env['PATH'] ?? ''}`,
    }),
  })
  expect(stdout).toMatch(/ {2}temperature {2}21\.5$/m)
  const { devices, stop } = await user.json<{ devices: unknown[]; stop: object }>(
    'device',
    'list',
    `${site.owner}/bench`,
  )
  expect([devices, stop]).toMatchObject([[], { reason: 'End of the guide' }])
})
