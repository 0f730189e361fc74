import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileObjects, isObjectName, type ObjectStore } from '../../src/objects/index.ts'
import type { StoreKind, StoreUnderTest } from './store-under-test.ts'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-objects-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export function pathOf(root: string, sha256: string): string {
  return join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

/** Files below the root, as paths relative to it. */
export async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

export const fileStores: StoreKind = {
  async open(): Promise<StoreUnderTest> {
    const folder = await temporaryFolder()
    const root = join(folder.path, 'objects')
    const store = await createFileObjects({ root })
    return {
      store,
      damage: (sha256, bytes) => writeFile(pathOf(root, sha256), bytes),
      async litter(name) {
        await mkdir(dirname(join(root, name)), { recursive: true })
        await writeFile(join(root, name), 'litter')
      },
      leftovers: async () => (await filesBelow(root)).filter((path) => !isObjectName(path.slice(-64))),
      held: () => openFilesBelow(root),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    }
  },
  async openMissing(): Promise<ObjectStore> {
    await using folder = await temporaryFolder()
    // Awaited here: the folder must not go before the store has been made in it.
    return await createFileObjects({ root: join(folder.path, 'objects') })
  },
}

function openFilesBelow(root: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root)
    } catch {
      return false
    }
  }).length
}
