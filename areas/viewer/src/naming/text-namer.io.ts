import { Semaphore, SemaphoreRefused } from '@patchbay/primitives/async'
import type { PictureToName } from '../ports.ts'
import type { NamingLimits } from './config.ts'
import { nameOfLines } from './heading.ts'
import { pictureForReading } from './text-picture.io.ts'
import type { TextReader } from './text-reader.io.ts'
import { untilAborted } from './until-aborted.ts'

const NOTHING = { note: 'No text was found in the picture that could name it.' }
const FULL = { note: 'Too many pictures wait for a name.' }
const LATE = { note: 'Reading the text in the picture took too long.' }
const FAILED = { note: 'The text in the picture could not be read.' }

export type TextOutcome = { readonly name: string } | { readonly note: string }

/** Throws the signal's reason when it is aborted, and nothing else. */
export type TextNamer = (picture: PictureToName, signal: AbortSignal) => Promise<TextOutcome>

export function createTextNamer(reader: TextReader, limits: NamingLimits): TextNamer {
  const reading = new Semaphore({ total: 1, maxWaiting: limits.waitingForText })

  async function nameOf(picture: PictureToName, signal: AbortSignal): Promise<TextOutcome> {
    // The original has the letters as they were; the optimized one may be a third of its size.
    const request = await untilAborted(pictureForReading(picture.original), signal)
    if (request === undefined) return NOTHING
    const name = nameOfLines(await reader.read(request, signal))
    return name === undefined ? NOTHING : { name }
  }

  async function nameInTime(picture: PictureToName, signal: AbortSignal): Promise<TextOutcome> {
    const deadline = AbortSignal.timeout(limits.readDeadlineMs)
    try {
      return await nameOf(picture, AbortSignal.any([signal, deadline]))
    } catch {
      signal.throwIfAborted()
      return deadline.aborted ? LATE : FAILED
    }
  }

  return async (picture, signal) => {
    try {
      return await reading.run(() => nameInTime(picture, signal), { signal })
    } catch (error) {
      if (error instanceof SemaphoreRefused) return FULL
      throw error
    }
  }
}
