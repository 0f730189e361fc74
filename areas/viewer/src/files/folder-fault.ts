import { Problem } from '@patchbay/contracts/core'
import { isErrno } from '@patchbay/primitives/files'
import { displayText } from '@patchbay/primitives/text'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY'])
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ESTALE'])

/** Goes to terminals, and may repeat what stands in files of a project that somebody else made. */
export function unavailable(words: string, cause?: unknown): Problem {
  return new Problem('folder_unavailable', {
    detail: displayText(words),
    ...(cause === undefined ? {} : { cause }),
  })
}

/** What the file system said, in words; anything else is passed on as it is. */
export function explain(error: unknown): unknown {
  if (!isErrno(error)) return error
  const { code = '' } = error
  if (FULL.has(code)) return unavailable('The disk is full. Free some space and try again.', error)
  if (REFUSED.has(code))
    return unavailable(`The system refuses to write into the folder of the pastes (${code}).`, error)
  if (GONE.has(code))
    return unavailable('Something in the folder of the pastes was taken away meanwhile. Try again.', error)
  return unavailable(`The folder of the pastes cannot be written (${code}).`, error)
}
