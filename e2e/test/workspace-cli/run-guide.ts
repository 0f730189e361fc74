import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CLI, type User } from '@patchbay/cli/test/user'
import { withCompiledCode } from '@patchbay/testkit/processes'
import type { Installation } from './installation.ts'

/** The commands of a guide as they stand, one after the other, by somebody whose workspaces are the guide's `ada/`. */
export async function runGuide(
  guide: string,
  site: Installation,
  user: User,
  scopes: readonly string[],
): Promise<{ readonly blocks: number; readonly stdout: string }> {
  const text = await readFile(new URL(`../../../docs/guides/${guide}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
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
  return { blocks: blocks.length, stdout }
}
