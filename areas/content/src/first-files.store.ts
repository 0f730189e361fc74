import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { noteBlobs } from './blob.store.ts'
import { changeIn } from './change.store.ts'
import type { ContentDeps } from './deps.ts'
import type { ContentTables } from './tables.ts'

/**
 * Stores the bytes of the files that a workspace begins with. What it answers names them in the transaction that makes the
 * workspace: it is there with all of them, or not at all. Bytes that are left are collected like those of any upload.
 */
export async function prepareFirstFiles(
  deps: Pick<ContentDeps, 'objects' | 'clock' | 'settings'>,
  files: Readonly<Record<string, string>>,
): Promise<(tx: Db<ContentTables>, at: WorkspaceRef, by: ActingParty) => Promise<void>> {
  const stored = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const { sha256, size } = await deps.objects.put(bytesOf(text))
      return { path, sha256, size }
    }),
  )
  return async (tx, at, party) => {
    if (stored.length === 0) return
    await noteBlobs(tx, deps, at, stored)
    // Nobody else knows of the workspace yet: there is nothing to lock, and nobody to tell.
    const who = { party, lock: async () => async () => {} }
    const operations = stored.map(({ path, sha256 }) => ({ op: 'put' as const, path, sha256 }))
    await changeIn(tx, at, who, { operations }, deps.clock.now())
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
