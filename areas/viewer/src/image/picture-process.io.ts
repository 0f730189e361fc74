/**
 * The process in which pictures are decoded: a file that crashes a decoder or never lets go of it ends this process and
 * nothing else. Run by `pictures.io.ts`; has no environment and nothing to say but its answers.
 */
import sharp from 'sharp'
import { failureOf } from './failures.ts'
import { preparePicture } from './prepare.io.ts'
import { BEGUN, outcomeOf, type PictureAnswer, type PictureOrder } from './process-messages.ts'

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
