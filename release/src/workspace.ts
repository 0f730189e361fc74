import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface WorkspacePackage {
  /** Absolute. */
  readonly folder: string
  readonly manifest: Manifest
}

/** Every package of the checkout that can be part of what is published, by name. */
export function readWorkspace(): ReadonlyMap<string, WorkspacePackage> {
  const found = globSync('{packages,areas,apps}/*/package.json', { cwd: ROOT }).toSorted()
  return new Map(
    found.map((path) => {
      const manifest = readManifest(join(ROOT, path))
      return [manifest.name, { folder: join(ROOT, dirname(path)), manifest }]
    }),
  )
}

export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}
