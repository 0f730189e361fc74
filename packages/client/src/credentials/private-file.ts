import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CredentialsFault } from './credentials-fault.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const MOST_BYTES = 1024 * 1024
// A link is not followed: whoever can plant one chooses the session that this user works with. A pipe in the place of
// the file must not make the reader wait for a writer. Windows knows neither flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** `undefined` when there is no such file. One that cannot be trusted is left as it is, for a person to look at. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const file = await open(path, READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CredentialsFault(path, error.code === 'ELOOP' ? 'is a symbolic link' : cannot('be read', error))
  })
  if (file === undefined) return undefined
  try {
    await checkFile(path, file)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function checkFile(path: string, file: FileHandle): Promise<void> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new CredentialsFault(path, 'is no plain file')
  if (stats.size > MOST_BYTES) throw new CredentialsFault(path, 'is too large')
  if (process.getuid === undefined) return
  if (stats.uid !== process.getuid()) throw new CredentialsFault(path, 'belongs to another user')
  // Not repaired: what others could read, they may have, and the person should know.
  if ((stats.mode & 0o077) !== 0)
    throw new CredentialsFault(path, 'can be read by other users of this machine')
}

/** Whole or not at all: the text is written beside the file, flushed, and given its name. */
export async function writePrivateFile(path: string, text: string, unique: string): Promise<void> {
  const temporary = `${path}.${unique}.part`
  try {
    const file = await open(temporary, 'wx', FILE_MODE)
    try {
      await file.writeFile(text)
      await file.sync()
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new CredentialsFault(path, cannot('be written', error))
  }
}

export async function makePrivateFolder(path: string): Promise<void> {
  const folder = dirname(path)
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    await chmod(folder, FOLDER_MODE)
  } catch (error) {
    throw new CredentialsFault(folder, cannot('be made', error))
  }
}

function cannot(what: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `cannot ${what} (${code})`
}
