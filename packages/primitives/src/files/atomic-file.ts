import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { link, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder, removeFile, unlessFailed } from './file-system.ts'

export interface AtomicWriteOptions {
  /**
   * Tells the file apart from those of other writers until it has its name. Without one there must be one writer at a
   * time, who then overwrites what a killed one left.
   */
  readonly id?: string
  /** For this user alone unless told. */
  readonly mode?: number
  /** Makes the folder with this mode if it is not there. */
  readonly folderMode?: number
  /** Called between any two changes of the disk. Tests crash here. */
  readonly step?: (name: 'file written' | 'file renamed') => Promise<void> | void
}

export interface CreateOptions extends Omit<AtomicWriteOptions, 'step'> {
  readonly id: string
  /** Whether it has to survive a power cut. */
  readonly flush?: boolean
}

const PRIVATE = 0o600

/** Readers see the old content or the new one, also after a power cut. */
export async function writeAtomically(
  path: string,
  content: Uint8Array | string,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = await writeTemporary(path, content, options)
  await options.step?.('file written')
  try {
    await rename(temporary, path)
  } catch (error) {
    await removeFile(temporary)
    throw error
  }
  await options.step?.('file renamed')
  await flushFolder(dirname(path))
}

/** `writeAtomically` for those who must not go on before it is done, one writer at a time. */
export function writeAtomicallySync(path: string, content: Uint8Array | string): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', PRIVATE)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/**
 * `false` when the name is taken: of two processes at once the first one counts, and nobody replaces its file. So it is,
 * too, when somebody removed what was half written.
 */
export async function createAtomically(
  path: string,
  content: Uint8Array | string,
  options: CreateOptions,
): Promise<boolean> {
  const { flush = true, mode = PRIVATE } = options
  const temporary = await writeTemporary(path, content, options)
  try {
    // The name appears together with the whole content: a reader never sees half of it.
    const created = link(temporary, path).then(() => true)
    if ((await unlessFailed(created, 'EEXIST', 'ENOENT')) !== true) return false
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    if (!(await writeExclusively(path, content, { flush, mode }))) return false
  } finally {
    await removeFile(temporary)
  }
  if (flush) await flushFolder(dirname(path))
  return true
}

/** Some disks, FAT among them, know no second name for a file. There a reader can see half of the content. */
function isWithoutLinks(error: unknown): boolean {
  const codes = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

async function writeExclusively(
  path: string,
  content: Uint8Array | string,
  { flush, mode }: { readonly flush: boolean; readonly mode: number },
): Promise<boolean> {
  const file = await unlessFailed(open(path, 'wx', mode), 'EEXIST')
  if (file === undefined) return false
  try {
    await file.writeFile(content)
    if (flush) await file.sync()
  } finally {
    await file.close()
  }
  return true
}

async function writeTemporary(
  path: string,
  content: Uint8Array | string,
  { id, mode = PRIVATE, folderMode, flush = true }: AtomicWriteOptions & Partial<CreateOptions>,
): Promise<string> {
  if (folderMode !== undefined) await mkdir(dirname(path), { recursive: true, mode: folderMode })
  const temporary = id === undefined ? `${path}.new` : `${path}.${id}.part`
  const file = await open(temporary, id === undefined ? 'w' : 'wx', mode)
  try {
    await file.writeFile(content)
    if (flush) await file.sync()
  } catch (error) {
    await removeFile(temporary)
    throw error
  } finally {
    await file.close()
  }
  return temporary
}
