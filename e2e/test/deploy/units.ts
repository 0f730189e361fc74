import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, isInstalled, run } from './commands.ts'
import { parseAssignments, ROOT, readText } from './files.ts'

export interface Unit {
  readonly name: string
  readonly text: string
  /** What `Environment=` sets. */
  readonly environment: Record<string, string>
  directive(name: string): string
}

/** Contributors need no systemd: where it is missing its tests are shown as skipped. */
export const noSystemd = !isInstalled('systemd-analyze')

export async function readUnit(name: string): Promise<Unit> {
  const text = await readText(`deploy/systemd/${name}`)
  const directive = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const environment = parseAssignments(directive('Environment').replaceAll(' ', '\n'))
  return { name, text, environment, directive }
}

type Installed = Pick<Unit, 'name' | 'text'>

/** What systemd remarks on units that are installed together, the last ones beside the first unit in its folder `.d`. */
export async function verify(
  units: readonly Installed[],
  dropIns: readonly Installed[] = [],
): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-unit-'))
  const files = units.map(({ name }) => join(folder, name))
  await Promise.all(units.map(({ name, text }) => writeFile(join(folder, name), runnable(text))))
  const beside = join(folder, `${units[0]?.name}.d`)
  await mkdir(beside)
  await Promise.all(dropIns.map(({ name, text }) => writeFile(join(beside, name), text)))
  const ended = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...files])
  await rm(folder, { recursive: true, force: true })
  return ended
}

/** The exposure of a unit; the exit code is 0 up to 1.5 of 10. */
export async function rate({
  name,
}: Unit): Promise<{ readonly code: number; readonly rating: string | undefined }> {
  const file = join(ROOT, 'deploy/systemd', name)
  const options = ['--offline=true', '--threshold=15', '--no-pager']
  const { code, output } = await run('systemd-analyze', ['security', ...options, file])
  return { code, rating: output.trim().split('\n').at(-1) }
}

/** Paths that systemd looks for become ones of this machine; nothing else changes. */
function runnable(text: string): string {
  return text
    .replace('WorkingDirectory=/opt/patchbay', `WorkingDirectory=${ROOT}`)
    .replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
    .replace('node_modules/@patchbay/cli/dist/main.js', 'apps/cli/src/main.ts')
}
