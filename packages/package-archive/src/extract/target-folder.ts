import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FolderRefused } from '../folder-refused.ts'

const FILE_MODE = 0o644
const FOLDER_MODE = 0o755

/** A folder that was empty when it was taken. What is in it afterwards was put there by this object. */
export class TargetFolder {
  readonly #root: string
  readonly #wasAbsent: boolean
  readonly #folders = new Set<string>(['.'])

  private constructor(root: string, wasAbsent: boolean) {
    this.#root = root
    this.#wasAbsent = wasAbsent
  }

  static async take(root: string): Promise<TargetFolder> {
    const stats = await lstat(root).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
    if (stats === undefined) {
      await mkdir(dirname(root), { recursive: true, mode: FOLDER_MODE })
      await mkdir(root, { mode: FOLDER_MODE })
      return new TargetFolder(root, true)
    }
    if (stats.isSymbolicLink())
      throw new FolderRefused('link', root, `${root} is a link. Name the folder itself.`)
    if (!stats.isDirectory()) throw new FolderRefused('not_a_folder', root, `${root} is not a folder.`)
    if ((await readdir(root)).length > 0)
      throw new FolderRefused('not_empty', root, `${root} is not empty. Extract into a new folder.`)
    return new TargetFolder(root, false)
  }

  /**
   * For writing a file that is not there yet. A folder is made once, by us: one that somebody else put there, or a link,
   * ends the extraction.
   */
  async create(path: string): Promise<FileHandle> {
    await this.#makeFolder(dirname(path))
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    return open(join(this.#root, path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return
    await this.#makeFolder(dirname(path))
    await mkdir(join(this.#root, path), { mode: FOLDER_MODE })
    this.#folders.add(path)
  }

  async clear(): Promise<void> {
    const left = this.#wasAbsent
      ? [this.#root]
      : (await readdir(this.#root)).map((name) => join(this.#root, name))
    for (const path of left) await rm(path, { recursive: true, force: true })
  }
}
