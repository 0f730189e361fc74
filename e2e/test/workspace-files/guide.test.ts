import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CLI } from '@patchbay/cli/test/user'
import { withCompiledCode } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { joinInstallation } from '../workspace-cli/installation.ts'

const GUIDE = new URL('../../../docs/guides/keep-your-project-in-a-workspace.md', import.meta.url)

test('[CLI-193][CLI-195][CLI-196][CLI-200][CLI-201] the commands of the guide run as they are, one after the other', {
  timeout: 240_000,
}, async () => {
  const site = await joinInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  await using user = await site.shell(...scopes)
  const guide = await readFile(GUIDE, 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(8)
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
  expect(stdout).toMatch(/conflict {2}src\/main\.c/)
  expect(stdout).toMatch(/^[0-9a-f]{7,} First firmware$/m)
  const copied = await user.json<{ files: { path: string }[] }>('files', 'ls', `${site.owner}/copy`, '-r')
  expect(copied.files.map(({ path }) => path)).toEqual(['second/src/main.c', 'src/main.c'])
})
