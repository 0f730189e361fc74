import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPacked } from '@patchbay/testkit/packed'
import { expect, test } from 'vitest'

const run = promisify(execFile)
/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

/** The example of the README, and what it says that it prints. */
async function readExample(): Promise<{ readonly code: string; readonly output: string }> {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const output = [...code.matchAll(/\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
  return { code, output }
}

test.skipIf(OLD_NODE === undefined)(
  '[D-29] the packed package runs on the oldest Node it promises, and does what its README says',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-layout-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    await installPacked('workspace-layout', folder)
    const { code, output } = await readExample()
    await writeFile(join(folder, 'example.mjs'), `${code}\nconsole.log(process.version)\n`)
    const { stdout } = await run(OLD_NODE ?? '', ['example.mjs'], { cwd: folder })
    expect(output.split('\n').length).toBeGreaterThan(3)
    expect(stdout).toMatch(/v20\.\d+\.\d+\n$/)
    expect(stdout.replace(/v20.*\n$/, '')).toBe(output)
  },
  240_000,
)
