import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomically } from '@patchbay/primitives/files'
import { sha256Of } from '../client/body.ts'
import { listFolder, PUBLISHED, readIfThere, removeUnfinished } from '../file-system.ts'
import { createUniqueId } from '../surroundings.ts'
import type { OfferedVersion } from './package-list.ts'

const CHUNK_BYTES = 1024 * 1024

/** `undefined` when there is no such file. */
async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      hash.update(chunk as Buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

/** The folder that is published. Files that are right already are left alone, so that an upload sends only news. */
export class OutputFolder {
  readonly written: string[] = []
  readonly unchanged: string[] = []
  readonly removed: string[] = []
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What a build that was killed left would be published with the rest. */
  async removeLeftovers(folders: readonly string[], now: number): Promise<void> {
    for (const folder of folders) await removeUnfinished(join(this.#folder, folder), now)
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, name)
    const before = await readIfThere(path)
    if (before !== undefined && before.equals(bytes)) {
      this.unchanged.push(name)
      return
    }
    await writeAtomically(path, bytes, { ...PUBLISHED, id: createUniqueId() })
    this.written.push(name)
  }

  async putArchive(
    name: string,
    { file, isTemporary, inspection }: OfferedVersion,
    workFolder: string,
  ): Promise<void> {
    const path = join(this.#folder, name)
    if ((await hashFile(path)) === inspection.sha256) {
      this.unchanged.push(name)
      return
    }
    const copy = join(workFolder, sha256Of(name))
    if (isTemporary) await rename(file, copy)
    else await copyFile(file, copy)
    // Somebody may have saved the archive anew since it was read.
    if ((await hashFile(copy)) !== inspection.sha256)
      throw new Error(`${file} has changed while it was read; build again`)
    await chmod(copy, PUBLISHED.mode)
    await mkdir(dirname(path), { recursive: true, mode: PUBLISHED.folderMode })
    await rename(copy, path)
    this.written.push(name)
  }

  /** Removes from a folder what nothing names anymore. */
  async removeOthers(folder: string, ending: string, kept: ReadonlySet<string>): Promise<void> {
    for (const file of await listFolder(join(this.#folder, folder))) {
      const name = `${folder}/${file}`
      if (kept.has(name) || !file.endsWith(ending)) continue
      await rm(join(this.#folder, name))
      this.removed.push(name)
    }
  }
}
