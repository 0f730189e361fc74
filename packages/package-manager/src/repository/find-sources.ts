import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** One thing to publish. */
export interface PackageSource {
  readonly kind: 'archive' | 'folder'
  readonly path: string
  /** Relative to the folder, with forward slashes. */
  readonly name: string
}

const DEEPEST = 6

/** Archives and package folders, in an order that does not depend on the disk. Links are not followed. */
export async function findSources(folder: string): Promise<PackageSource[]> {
  const found = await search(folder, 0)
  return found
    .map(({ kind, path }) => ({ kind, path, name: relative(folder, path).replaceAll('\\', '/') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

type Found = Omit<PackageSource, 'name'>

async function search(folder: string, depth: number): Promise<Found[]> {
  if (depth > DEEPEST) return []
  const entries = await readdir(folder, { withFileTypes: true })
  const isPackage = depth > 0 && entries.some((entry) => entry.isFile() && entry.name === 'metadata.json')
  if (isPackage) return [{ kind: 'folder', path: folder }]
  const found: Found[] = []
  for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await search(path, depth + 1)))
    else if (entry.isFile() && entry.name.endsWith('.zip')) found.push({ kind: 'archive', path })
  }
  return found
}
