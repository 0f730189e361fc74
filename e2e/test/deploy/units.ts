import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, isInstalled, run } from './commands.ts'
import { parseAssignments, readText, ROOT } from './files.ts'

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

/** What systemd remarks on units that are installed together. */
export async function verify(units: readonly Pick<Unit, 'name' | 'text'>[]): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-unit-'))
  const files = units.map(({ name }) => join(folder, name))
  await Promise.all(units.map(({ name, text }) => writeFile(join(folder, name), runnable(text))))
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
}
