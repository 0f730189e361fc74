import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomically } from '@patchbay/primitives/files'
import { CredentialsFault } from './credentials-fault.ts'

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

export async function writePrivateFile(path: string, text: string, unique: string): Promise<void> {
  try {
    await writeAtomically(path, text, { id: unique })
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
