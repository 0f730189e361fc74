import { expect, test } from 'vitest'
import { joinInstallation } from '../workspace-cli/installation.ts'
import { runGuide } from '../workspace-cli/run-guide.ts'

test('[CLI-193][CLI-195][CLI-196][CLI-200][CLI-201] the commands of the guide run as they are, one after the other', {
  timeout: 240_000,
}, async () => {
  const site = await joinInstallation()
  const scopes = [`panels:${site.owner}/*`, `files:write:${site.owner}/*`]
  await using user = await site.shell(...scopes)
  const { blocks, stdout } = await runGuide('keep-your-project-in-a-workspace.md', site, user, scopes)
  expect(blocks).toBeGreaterThan(8)
  expect(stdout).toMatch(/conflict {2}src\/main\.c/)
  expect(stdout).toMatch(/^[0-9a-f]{7,} First firmware$/m)
  const copied = await user.json<{ files: { path: string }[] }>('files', 'ls', `${site.owner}/copy`, '-r')
  expect(copied.files.map(({ path }) => path)).toEqual(['second/src/main.c', 'src/main.c'])
})
