import { Problem } from '@patchbay/contracts/core'
import { CUT_OFF, refused, TOO_LONG } from './refused.ts'

/** What the disk says; nothing of it is about the picture. */
const DISK =
  /no space left|no such file|quota exceeded|read-only file system|permission denied|input\/output error/i
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOENT', 'EMFILE'])

/** What to say of an error of the libraries that decode and encode. What is not theirs stays as it is: a bug of ours. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (DISK.test(message) || (code !== undefined && DISK_CODES.has(code)))
    return new Problem('folder_unavailable', { cause: error })
  if (code !== undefined || error.name !== 'Error') return error
  if (/timeout/i.test(message)) return refused(TOO_LONG, error)
  return refused(CUT_OFF, error)
}
