/**
 * The process in which pictures are decoded: a file that crashes a decoder or never lets go of it ends this process and
 * nothing else. Run by `pictures.io.ts`; has no environment and nothing to say but its answers.
 */

import { Problem } from '@patchbay/contracts/core'
import sharp from 'sharp'
import { preparePicture } from './prepare.io.ts'
import { BEGUN, outcomeOf, type PictureAnswer, type PictureOrder } from './process-messages.ts'
import { CUT_OFF, refused, TOO_LONG } from './refused.ts'

// Every picture is another one; a cache of earlier work would only be memory.
sharp.cache(false)
// One thread for each file that is written; more would take more memory, and the two already run side by side.
sharp.concurrency(1)

process.on('message', (order: PictureOrder) => {
  process.send?.(BEGUN)
  void answer(order).then((message) => process.send?.(message))
})
// Whoever started it decides when it ends; a key combination in a terminal reaches both.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
// Decoders may be busy in threads that an orderly end would wait for.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function answer({ incoming, into }: PictureOrder): Promise<PictureAnswer> {
  const outcome = await preparePicture(incoming, into).then(
    (prepared) => ({ prepared }),
    (error: unknown) => outcomeOf(failureOf(error)),
  )
  return { ...outcome, residentBytes: process.memoryUsage.rss() }
}

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
