import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chooseTests } from './choose-tests.ts'

/**
 * `pnpm test:changed [REF]`: the tests that a change calls for, against REF or else against the last commit. What it does
 * not run, `.ci/run` does.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const base = process.argv[2] ?? 'HEAD'

const lines = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = [
  ...lines('diff', '--name-only', '--no-renames', base),
  ...lines('ls-files', '--others', '--exclude-standard'),
]
const tests = chooseTests(ROOT, changed)
console.log(`${changed.length} changed files call for ${tests.length} test files`)
if (tests.length > 0) {
  const { status } = spawnSync('pnpm', ['exec', 'vitest', 'run', ...tests], { cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
