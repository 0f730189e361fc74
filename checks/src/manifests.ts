import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Violation, WorkspacePackage } from './workspace.ts'

interface Manifest {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly publishConfig?: { readonly access?: string; readonly exports?: object; readonly bin?: object }
  readonly [field: string]: unknown
}

const WANTED = ['version', 'description', 'license', 'engines', 'files'] as const

/** What a package that is published must say of itself, and that what is published is what is built from its sources. */
export function checkManifests(root: string, packages: readonly WorkspacePackage[]): Violation[] {
  const urls = new Set<string>()
  return packages.flatMap(({ folder }) => {
    const file = `${folder}/package.json`
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
    if (manifest.private === true) return []
    const missing = WANTED.filter((field) => manifest[field] === undefined).map((field) => `has no ${field}`)
    const { url = '', directory } = manifest.repository ?? {}
    urls.add(url)
    const faults = [
      ...missing,
      ...(directory === folder && url !== '' ? [] : ['has no repository with its folder']),
      ...(urls.size > 1 ? ['names another repository than the others'] : []),
      ...(manifest.publishConfig?.access === 'public' ? [] : ['has no publishConfig with public access']),
      ...(existsSync(join(root, folder, 'README.md')) ? [] : ['has no README.md']),
      ...exportFaults(manifest),
    ]
    return faults.map((message) => ({ file, message }))
  })
}

/** `./src/a.ts` is published as `./dist/a.js` with its types; what is in tests is not published. */
function exportFaults({ exports = {}, publishConfig = {} }: Manifest): string[] {
  // A command: nothing of it is for imports.
  if (publishConfig.bin !== undefined) return []
  const built = Object.entries(exports)
    .filter(([, source]) => source.startsWith('./src/'))
    .map(([name, source]) => {
      const base = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '')
      return [name, { types: `${base}.d.ts`, default: `${base}.js` }]
    })
  const wanted = JSON.stringify(Object.fromEntries(built))
  return JSON.stringify(publishConfig.exports ?? {}) === wanted
    ? []
    : [`publishes other exports than it has: publishConfig.exports should be ${wanted}`]
}
