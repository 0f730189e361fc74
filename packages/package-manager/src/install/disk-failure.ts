import { isErrno } from '@patchbay/primitives/files'
import { InstallFailure } from './install-failure.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ETXTBSY'])
const OCCUPIED = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'])

/** What the file system said, in words; anything else is passed on as it is. */
export function explainDiskFailure(error: unknown, identifier?: string): unknown {
  if (error instanceof InstallFailure || !isErrno(error)) return error
  const { code = '', path, message } = error
  const details = { cause: error, ...(identifier === undefined ? {} : { identifier }) }
  const where = path === undefined ? '' : ` (${path})`
  if (FULL.has(code))
    return new InstallFailure('disk_full', `the disk is full${where}: free some space and try again`, details)
  if (REFUSED.has(code))
    return new InstallFailure(
      'not_writable',
      `the system refuses to change a file${where}: close programs that use it, or check whose it is (${code})`,
      details,
    )
  if (code === 'EXDEV') return differentFileSystems(where, details)
  if (OCCUPIED.has(code))
    return new InstallFailure(
      'folder_in_the_way',
      `something else is in the place of a folder${where}: move it away and try again (${code})`,
      details,
    )
  return new InstallFailure('disk_failed', `the file system failed: ${message}`, details)
}

export function differentFileSystems(where: string, details: { readonly cause?: unknown }): InstallFailure {
  return new InstallFailure(
    'different_file_systems',
    `the state folder and the folder of packages are on different file systems${where}: choose a state folder inside the folder of packages, such as .patchbay`,
    details,
  )
}
