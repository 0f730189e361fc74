import { join } from 'node:path'
import type { PackageArray, Repository } from '@patchbay/package-format'
import { validateText } from '@patchbay/package-format/validate'
import { readIfThere } from '../file-system.ts'

/** What was published before. */
export interface PreviousOutput {
  readonly repository: Repository | undefined
  /** By archive name: the hash that was published. */
  readonly published: ReadonlyMap<string, string>
}

/** What is no repository counts as none: a first build may go into a folder that has other things in it. */
export async function readPrevious(
  folder: string,
  nameOf: (id: string, version: string) => string,
): Promise<PreviousOutput> {
  const index = await readText(join(folder, 'repository.json'))
  const isRepository = index !== undefined && validateText(index, { urls: 'compat' }).kind === 'repository'
  return {
    repository: isRepository ? (JSON.parse(index) as Repository) : undefined,
    published: publishedHashes(await readText(join(folder, 'packages.json')), nameOf),
  }
}

function publishedHashes(
  text: string | undefined,
  nameOf: (id: string, version: string) => string,
): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>()
  for (const { identifier, versions } of listOf(text)) {
    for (const { version, download_sha256: sha256 } of versions ?? []) {
      if (sha256 !== undefined) hashes.set(nameOf(identifier, version), sha256)
    }
  }
  return hashes
}

function listOf(text: string | undefined): PackageArray['packages'] {
  try {
    const list = JSON.parse(text ?? '{}') as Partial<PackageArray>
    return Array.isArray(list.packages) ? list.packages : []
  } catch {
    return []
  }
}

async function readText(path: string): Promise<string | undefined> {
  return (await readIfThere(path))?.toString('utf8')
}
