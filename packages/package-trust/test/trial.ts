import { join } from 'node:path'
import {
  openTrustedIndex,
  type TrustedIndex,
  type TrustedIndexOptions,
  TrustFailure,
} from '../src/verifying/index.ts'
import { FolderServer } from './folder-server.ts'
import { SignedRegistry } from './signed-registry.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

export interface Trial extends AsyncDisposable {
  readonly registry: SignedRegistry
  readonly server: FolderServer
  readonly folder: string
  readonly cacheFolder: string
  /** A client as after a restart: it knows what is in the cache. */
  client(options?: Partial<TrustedIndexOptions>): TrustedIndex
}

/** A registry in a folder, a server that serves it, and clients that share a cache and the first root. */
export async function createTrial(options: { bits?: number; expires?: Date } = {}): Promise<Trial> {
  const folder = await createTemporaryFolder()
  const tuf = join(folder.path, 'tuf')
  const registry = await SignedRegistry.create(tuf, options)
  const server = await FolderServer.start(tuf)
  const { root } = registry
  const cacheFolder = join(folder.path, 'cache')
  return {
    registry,
    server,
    folder: folder.path,
    cacheFolder,
    client: (changes) => openTrustedIndex({ metadataUrl: server.url, cacheFolder, root, fetch, ...changes }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** `trusted`, or why not. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'trusted'
  } catch (error) {
    if (error instanceof TrustFailure) return error.reason
    throw error
  }
}
