import { type BigIntStats, constants } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'

/** Every step that changes the disk, or must have reached it, passes through here: a test can stop or fail any of them. */
export type Around = <T>(step: string, call: () => Promise<T>) => Promise<T>

// Windows has no such flag, and needs none: making links takes rights that few have.
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0
/** A pipe in the place of a file would be waited for in vain. */
const NO_WAITING = (constants.O_NONBLOCK as number | undefined) ?? 0
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK
const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINK
const PRIVATE_FILE = 0o600
/** More than the longest texts and names of a paste, before and after a change. */
const LONGEST_TEXT_BYTES = 32 * 1024

/** The few things that are done to a disk. Nothing but `replace` and `rename` ever replaces a file. */
export class Disk {
  readonly #around: Around

  constructor(around: Around = (_, call) => call()) {
    this.#around = around
  }

  /** `false` when something has that name. */
  async makeFolder(path: string, mode: number): Promise<boolean> {
    const call = () => mkdir(path, { mode }).then(() => true)
    return (await unlessFailed(this.#around('make folder', call), 'EEXIST')) ?? false
  }

  /** A new file, and what is in it is on the disk. */
  async writeNew(path: string, text: string): Promise<void> {
    try {
      await this.#write(path, NEW, text)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
        await this.tryToDelete(path)
      throw error
    }
  }

  /** Readers see the old text or the new one, also after a power cut. For private names alone. */
  async replace(path: string, text: string): Promise<void> {
    const draft = `${path}.new`
    try {
      await this.#write(draft, ANEW, text)
      await this.rename(draft, path)
    } catch (error) {
      await this.tryToDelete(draft)
      throw error
    }
  }

  /** An empty file, to have the name. */
  async reserve(path: string): Promise<void> {
    await this.#around('reserve', async () => (await open(path, NEW, 0o666)).close())
  }

  async link(from: string, to: string): Promise<void> {
    await this.#around('link', () => link(from, to))
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#around('rename', () => rename(from, to))
  }

  async delete(path: string): Promise<void> {
    await unlessFailed(
      this.#around('delete', () => unlink(path)),
      'ENOENT',
    )
  }

  /** For tidying up after a failure, which is what counts then. */
  async tryToDelete(path: string): Promise<void> {
    await this.delete(path).catch(() => undefined)
  }

  async deleteFolder(path: string): Promise<void> {
    await unlessFailed(
      this.#around('delete folder', () => rmdir(path)),
      'ENOENT',
    )
  }

  /** With all that is in it. Links in it are deleted, not followed. */
  async deleteTree(path: string): Promise<void> {
    await this.#around('delete tree', () => rm(path, { recursive: true, force: true }))
  }

  async flushFile(path: string): Promise<void> {
    await using file = await open(path, constants.O_RDWR | NO_LINK)
    await this.#around('flush file', () => file.sync())
  }

  /** A new name survives a power cut only when its folder was flushed. Windows and some network disks refuse to. */
  async flushFolder(path: string): Promise<void> {
    const folder = await unlessFailed(open(path, constants.O_RDONLY), 'EISDIR', 'EPERM')
    if (folder === undefined) return
    await using _closed = folder
    await this.#around('flush folder', () =>
      unlessFailed(folder.sync(), 'EINVAL', 'EBADF', 'EPERM', 'ENOTSUP'),
    )
  }

  /** Links count by themselves, whatever they lead to. */
  async look(path: string): Promise<BigIntStats | undefined> {
    return await unlessFailed(lstat(path, { bigint: true }), 'ENOENT', 'ENOTDIR')
  }

  /** Empty when there is no such folder. */
  async list(path: string): Promise<string[]> {
    return (await unlessFailed(readdir(path), 'ENOENT')) ?? []
  }

  /** The beginning of a text of ours, which is all of it: what is longer, or no file, somebody else put there. */
  async read(path: string): Promise<string> {
    await using file = await open(path, constants.O_RDONLY | NO_LINK | NO_WAITING)
    if (!(await file.stat()).isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_TEXT_BYTES), 0, LONGEST_TEXT_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  }

  async #write(path: string, flags: number, text: string): Promise<void> {
    const file: FileHandle = await this.#around('create', () => open(path, flags, PRIVATE_FILE))
    try {
      await this.#around('write', () => file.writeFile(text))
      await this.#around('flush file', () => file.sync())
    } finally {
      await file.close()
    }
  }
}

/** A text and the name of its file are on the disk. */
export async function writeDurably(disk: Disk, path: string, text: string, isNew: boolean): Promise<void> {
  await (isNew ? disk.writeNew(path, text) : disk.replace(path, text))
  await disk.flushFolder(dirname(path))
}
