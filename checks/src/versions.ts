import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Violation } from './workspace.ts'

/** Tools read their version each from a place of its own; CI installs what `.ci/setup` says. */
export function checkVersions(root: string): Violation[] {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
  const setup = read('.ci/setup')
  const pinned = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(setup)?.[1]
  const packageManager = /"packageManager": *"pnpm@([^"+]+)/.exec(read('package.json'))?.[1]
  return [
    ...compare('.nvmrc', read('.nvmrc').trim(), 'NODE_VERSION', pinned('NODE_VERSION')),
    ...compare('package.json', packageManager, 'PNPM_VERSION', pinned('PNPM_VERSION')),
  ]
}

function compare(
  file: string,
  found: string | undefined,
  name: string,
  wanted: string | undefined,
): Violation[] {
  if (wanted === undefined) return [{ file: '.ci/setup', message: `has no ${name}` }]
  return found === wanted
    ? []
    : [{ file, message: `says ${found || 'nothing'}, and ${name} of .ci/setup says ${wanted}` }]
}
