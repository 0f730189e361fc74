import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { flushFolder, type LockOptions, removeFile, unlessFailed } from '@patchbay/primitives/files'
import type { Surroundings } from '../surroundings.ts'
import { NotConnected, TokenRecordBusy } from './errors.ts'
import { parseRecord, type TokenRecord } from './token-record.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const MOST_BYTES = 1024 * 1024
/** More than tokens commonly need. */
const ROOM_BYTES = 16 * 1024
// A link is not followed: the next write would replace it and leave what it leads to behind. A pipe in the place of
// the file must not make the reader wait for a writer. Windows knows neither flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const LOCK_PATIENCE_MS = 30_000

/** For the lock of a record: one process at a time has to do with it. */
export function recordLockOptions({ now, randomUUID: createId }: Surroundings): LockOptions {
  return { createId, now, patienceMs: LOCK_PATIENCE_MS, busy: () => new TokenRecordBusy() }
}

/** Makes the provider's folder private, also when it was there before. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  await chmod(path, FOLDER_MODE)
}

/** `undefined` when nothing is stored. A file that cannot be used is left as it is, for a person to look at. */
export async function readRecord(path: string): Promise<TokenRecord | undefined> {
  const file = await unlessFailed(open(path, READ_FLAGS), 'ENOENT').catch((error: NodeJS.ErrnoException) => {
    throw unusable(error.code === 'ELOOP' ? 'it is a symbolic link' : (error.code ?? 'unreadable'))
  })
  if (file === undefined) return undefined
  try {
    await checkFile(file)
    const record = parseRecord(await file.readFile('utf8'))
    if (record === undefined) throw unusable('it is no token record')
    return record
  } finally {
    await file.close()
  }
}

async function checkFile(file: FileHandle): Promise<void> {
  const stats = await file.stat()
  const { size, mode, uid } = stats
  if (!stats.isFile()) throw unusable('it is no plain file')
  if (size > MOST_BYTES) throw unusable('it is too large')
  if (process.getuid === undefined) return
  // Whoever plants a record makes this user work in the planter's account.
  if (uid !== process.getuid()) throw unusable('it belongs to somebody else')
  // Refusing would not take back what others have read, and would stop every service after a restored backup.
  if ((mode & 0o077) !== 0) await file.chmod(FILE_MODE)
}

/** A place for the next record, made before the provider is asked: a full or read-only disk is found out in time. */
export interface PreparedWrite {
  commit(record: TokenRecord): Promise<void>
  /** Removes what was not committed. */
  close(): Promise<void>
}

/** Only for the holder of the lock, who removes what killed holders before it left behind. */
export async function prepareWrite(
  path: string,
  { randomUUID: createId }: Surroundings,
): Promise<PreparedWrite> {
  const folder = dirname(path)
  await makePrivateFolder(folder)
  await removeLeftovers(path)
  const temporary = `${path}.${createId()}.part`
  const file = await open(temporary, 'wx', FILE_MODE)
  const close = async () => {
    await file.close()
    await removeFile(temporary)
  }
  try {
    await writeWhole(file, Buffer.alloc(ROOM_BYTES))
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    async commit(record) {
      const bytes = Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
      await writeWhole(file, bytes)
      await file.truncate(bytes.length)
      await file.sync()
      await rename(temporary, path)
      await flushFolder(folder)
    },
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten
  }
}

/** Half-written records hold tokens. */
async function removeLeftovers(path: string): Promise<void> {
  const [start, folder] = [`${basename(path)}.`, dirname(path)]
  for (const name of (await unlessFailed(readdir(folder), 'ENOENT')) ?? []) {
    if (name.startsWith(start) && /^[0-9a-f-]{36}\.part$/.test(name.slice(start.length))) {
      await removeFile(join(folder, name))
    }
  }
}

/** Whether there was one. */
export async function removeRecord(path: string): Promise<boolean> {
  await removeLeftovers(path)
  const removed = await removeFile(path)
  if (removed) await flushFolder(dirname(path))
  return removed
}

function unusable(detail: string): NotConnected {
  return new NotConnected('unusable_record', detail)
}
