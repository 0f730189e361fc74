import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, WorkspacePackage } from './workspace.ts'
import { readManifest } from './workspace.ts'

/** What is published of a process: its own code, the private packages of ours inside it, the others by name. */
export interface ProcessPackage {
  readonly manifest: object
  /** Packages that nobody can install by themselves, with the manifest that each has inside. */
  readonly inside: readonly { readonly from: WorkspacePackage; readonly manifest: object }[]
}

const OURS = '@patchbay/'
const NODE = '>=24'

/**
 * npm knows packages that come with another one as `bundleDependencies`. What these depend on is named by the process
 * itself, in the versions that were tested: whoever installs it gets no other ones.
 */
export function describeProcess(
  process: WorkspacePackage,
  workspace: ReadonlyMap<string, WorkspacePackage>,
): ProcessPackage {
  const inside = new Map<string, WorkspacePackage>()
  const dependencies = new Map<string, string>()
  const add = (name: string, version: string) => {
    const known = dependencies.get(name)
    if (known !== undefined && known !== version)
      throw new Error(`${process.manifest.name} would need ${name} ${known} and ${version}`)
    dependencies.set(name, version)
  }
  const visit = (from: WorkspacePackage) => {
    for (const name of Object.keys(from.manifest.dependencies ?? {})) {
      if (!name.startsWith(OURS)) {
        add(name, readManifest(join(from.folder, 'node_modules', name, 'package.json')).version)
        continue
      }
      const ours = workspace.get(name)
      if (ours === undefined) throw new Error(`${from.manifest.name} depends on ${name}, which is not here`)
      add(name, ours.manifest.version)
      if (ours.manifest.private !== true || inside.has(name)) continue
      inside.set(name, ours)
      visit(ours)
    }
  }
  visit(process)
  const { name, version, description, license, exports = {} } = process.manifest
  return {
    manifest: {
      name,
      version,
      description,
      license,
      repository: repositoryOf(workspace),
      type: 'module',
      engines: { node: NODE },
      exports: builtExports(exports),
      dependencies: sorted(dependencies),
      bundleDependencies: [...inside.keys()].toSorted(),
      publishConfig: { access: 'public' },
    },
    inside: [...inside.values()].map((from) => ({ from, manifest: insideManifest(from.manifest) })),
  }
}

/** Without dependencies: npm would look for private ones in the registry. */
function insideManifest({ name, version, license, exports = {} }: Manifest): object {
  return { name, version, license, private: true, type: 'module', exports: builtExports(exports) }
}

/** `./src/a.ts` is built as `./dist/a.js`; helpers of tests stay here. */
function builtExports(exports: Readonly<Record<string, string>>): Record<string, string> {
  const built = Object.entries(exports)
    .filter(([, source]) => source.startsWith('./src/'))
    .map(([name, source]) => [name, source.replace('./src/', './dist/').replace(/\.ts$/, '.js')])
  return Object.fromEntries(built) as Record<string, string>
}

function repositoryOf(workspace: ReadonlyMap<string, WorkspacePackage>): object {
  const { folder } = [...workspace.values()].find(({ manifest }) => manifest.name === `${OURS}cli`) ?? {}
  const text = readFileSync(join(folder ?? '', 'package.json'), 'utf8')
  const { repository } = JSON.parse(text) as { repository: { type: string; url: string } }
  return { type: repository.type, url: repository.url }
}

function sorted(entries: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
