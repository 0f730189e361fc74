import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPacked } from '@patchbay/testkit/packed'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const HOME = fileURLToPath(new URL('../', import.meta.url))
/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

/** The example of the README, and what it says that it prints. */
async function readExample(): Promise<{ readonly code: string; readonly output: string }> {
  const text = await readFile(join(HOME, 'README.md'), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const output = [...code.matchAll(/\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
  return { code, output }
}

/** Something of every entry, with the libraries behind it. */
const USES: Readonly<Record<string, string>> = {
  '.': "compareVersions({ version: '1.9' }, { version: '1.10' })",
  './validate': "validateText('{').findings[0].code",
  './keep-on-update': "compileKeepOnUpdate(['[.]ini$']).keeps('/plugins/com_x_y/config.ini')",
  './publish-faults': "findPublishFaults({ keep_on_update: ['['] })[0].pointer",
}
const RESULTS = [-1, 'syntax', true, '/keep_on_update/0']

test.skipIf(OLD_NODE === undefined)(
  '[A-193] the packed package runs on the oldest Node it promises, and does what its README says',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-format-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    const { exports = {} } = await installPacked('package-format', folder)
    expect(Object.keys(USES)).toEqual(Object.keys(exports))
    const { code, output } = await readExample()
    const uses = Object.entries(USES).map(
      ([entry, use]) => `(await import('@patchbay/package-format${entry.slice(1)}')).${use}`,
    )
    const told = `console.log(JSON.stringify([${uses.join(', ')}]), process.version)`
    await writeFile(join(folder, 'example.mjs'), `${code}\n${told}\n`)
    const { stdout } = await run(OLD_NODE ?? '', ['example.mjs'], { cwd: folder })
    expect(output.split('\n').length).toBeGreaterThan(3)
    const [, shown, results] = /^([\s\S]*\n)(\[.*\]) v20\.\d+\.\d+\n$/.exec(stdout) ?? []
    expect(shown).toBe(output)
    expect(JSON.parse(results ?? '')).toEqual(RESULTS)
  },
  240_000,
)
