import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const HOME = fileURLToPath(new URL('../', import.meta.url))
/** The oldest Node that the package promises to run on. */
const OLD_NODE = process.env['PATCHBAY_OLD_NODE']

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

/** A project that has installed the packed package, as it would come from a registry. */
async function installPacked(folder: string): Promise<Manifest> {
  await run('pnpm', ['exec', 'tsc', '-b', HOME], { cwd: HOME })
  await run('pnpm', ['pack', '--pack-destination', folder], { cwd: HOME })
  const home = join(folder, 'node_modules/@patchbay/package-format')
  await mkdir(home, { recursive: true })
  const archive = join(folder, 'patchbay-package-format-0.1.0.tgz')
  await run('tar', ['xzf', archive, '--strip-components=1', '-C', home])
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as Manifest
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(HOME, 'node_modules', name), link)
  }
  return manifest
}

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
  './keep-on-update-faults': "findKeepOnUpdateFaults({ keep_on_update: ['['] })[0].pointer",
}
const RESULTS = [-1, 'syntax', true, '/keep_on_update/0']

test.skipIf(OLD_NODE === undefined)(
  '[A-193] the packed package runs on the oldest Node it promises, and does what its README says',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-format-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    const { exports } = await installPacked(folder)
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
  120_000,
)
