import { createHash } from 'node:crypto'
import type { PackageArray, Repository, RepositoryResource } from '@patchbay/package-format'

/** A node, or somebody who asks one. */
export interface Asked {
  ask(path: string, init?: RequestInit): Promise<Response>
}

export interface ReadFeed {
  readonly repository: Repository
  readonly packages: PackageArray
  /** Absent: no package has an icon. */
  readonly resources: Buffer | undefined
  readonly manifests: { readonly manifests: Readonly<Record<string, Record<string, NamedManifest>>> }
}

export interface NamedManifest {
  readonly url: string
  readonly sha256: string
}

/** Reads a repository and everything that it names, and fails where a file is missing or has another hash. */
export async function readFeed(at: Asked, path = '/registry/feeds/tool/repository.json'): Promise<ReadFeed> {
  const repository = (await readJson(at, path)) as Repository
  const read = async (resource: RepositoryResource | undefined) => {
    if (resource === undefined) throw new Error('the repository does not name it')
    const bytes = await readBytes(at, pathOf(resource.url))
    if (sha256Of(bytes) !== resource.sha256) throw new Error(`${resource.url} has another hash`)
    return bytes
  }
  return {
    repository,
    packages: JSON.parse((await read(repository.packages)).toString('utf8')) as PackageArray,
    resources: repository.resources && (await read(repository.resources)),
    manifests: JSON.parse((await read(repository.manifests)).toString('utf8')) as ReadFeed['manifests'],
  }
}

export async function readBytes(at: Asked, path: string): Promise<Buffer> {
  const answer = await at.ask(path)
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

export async function readJson(at: Asked, path: string): Promise<unknown> {
  return JSON.parse((await readBytes(at, path)).toString('utf8')) as unknown
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
