import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { buildShop } from '../repo/shop.ts'
import { CLI, createUser, type User } from '../user.ts'

const run = promisify(execFile)

/** A `patchbay` that shells find on their path. */
async function install(ada: User): Promise<string> {
  await mkdir(ada.at('bin'))
  await writeFile(ada.at('bin/patchbay'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`)
  await chmod(ada.at('bin/patchbay'), 0o755)
  return `${ada.at('bin')}:${process.env['PATH'] ?? ''}`
}

const words = async (ada: User, ...typed: string[]) =>
  (await ada.run('completion-words', '--', ...typed)).stdout
    .split('\n')
    .flatMap((line) => line.split('\t')[0] || [])

deepTest(
  '[CLI-90] bash completes commands, subcommands, options and choices',
  async () => {
    await using ada = await createUser()
    const PATH = await install(ada)
    // One shell for all: it asks the program for its script once, as a person's does.
    const complete = async (...lines: readonly (readonly string[])[]) => {
      const typings = lines.map((typed) => `complete_words ${typed.join(' ')}`)
      const script = [
        'source <(patchbay completion bash)',
        'complete_words() { COMP_WORDS=(patchbay "$@"); COMP_CWORD=$#; COMPREPLY=(); _patchbay; echo "${COMPREPLY[*]}"; }',
        ...typings,
      ].join('\n')
      const { stdout } = await run('bash', ['-c', script], { env: { PATH, HOME: ada.home } })
      return stdout.trim().split('\n')
    }
    expect(
      await complete(
        ['ins'],
        ['package', 'p'],
        ['search', '--type', 'col'],
        ['package', 'validate', '--too'],
      ),
    ).toEqual(['install', 'pack publish', 'colortheme', '--tool-brand'])
  },
  60_000,
)

test('[CLI-90] what is installed and configured, statuses and files are known', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  await ada.run('source', 'add', 'public', '--name', 'shop')
  await ada.run('install', 'com.example.blinky')
  expect(await words(ada, 'remove', 'com')).toEqual(['com.example.blinky'])
  expect(await words(ada, 'rollback', '--json', '')).toEqual(['com.example.blinky'])
  expect(await words(ada, 'source', 'remove', '')).toEqual(['shop'])
  expect(await words(ada, 'package', 'status', 'com.example.blinky', '1.0', 'de')).toEqual([
    'development',
    'deprecated',
  ])
  expect(await words(ada, 'package', 'validate', '')).toEqual([':files'])
  expect(await words(ada, 'package', 'pack', '--out', '')).toEqual([':files'])
  expect(await words(ada, 'nonsense', '')).toContain('install')
  expect(await words(ada, '')).not.toContain('completion-words')
  expect((await ada.run('completion', 'tcsh')).stderr).toContain('Allowed choices are bash, zsh, fish')
})

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
const without = (shell: string) => (has(shell) ? '' : ` (skipped: there is no ${shell} on this machine)`)

deepTest.skipIf(!has('zsh'))(
  `[CLI-90] zsh reads its script${without('zsh')}`,
  async () => {
    await using ada = await createUser()
    await writeFile(ada.at('_patchbay'), (await ada.run('completion', 'zsh')).stdout)
    const { stderr } = await run('zsh', ['-c', 'autoload -U compinit; compinit -u; source ./_patchbay'], {
      cwd: ada.home,
    })
    expect(stderr).toBe('')
  },
  60_000,
)

deepTest.skipIf(!has('fish'))(
  `[CLI-90] fish completes commands${without('fish')}`,
  async () => {
    await using ada = await createUser()
    const PATH = await install(ada)
    const script = 'patchbay completion fish | source; complete -C "patchbay ins"'
    const { stdout } = await run('fish', ['-c', script], { env: { PATH, HOME: ada.home } })
    expect(stdout).toMatch(/^install\t/)
  },
  60_000,
)
