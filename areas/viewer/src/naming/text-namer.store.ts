import type { PictureToName } from '../ports.ts'
import type { NamingLimits } from './config.ts'
import { nameOfLines } from './heading.ts'
import { pictureForReading } from './text-picture.store.ts'
import type { TextReader } from './text-reader.store.ts'
import { untilAborted } from './until-aborted.ts'
import { createWaitingLine } from './waiting-line.ts'

const NOTHING = { note: 'No text was found in the picture that could name it.' }
const FULL = { note: 'Too many pictures wait for a name.' }
const LATE = { note: 'Reading the text in the picture took too long.' }
const FAILED = { note: 'The text in the picture could not be read.' }

export type TextOutcome = { readonly name: string } | { readonly note: string }

/** Throws the signal's reason when it is aborted, and nothing else. */
export type TextNamer = (picture: PictureToName, signal: AbortSignal) => Promise<TextOutcome>

export function createTextNamer(reader: TextReader, limits: NamingLimits): TextNamer {
  const line = createWaitingLine({ atOnce: 1, waiting: limits.waitingForText })

  async function nameOf(picture: PictureToName, signal: AbortSignal): Promise<TextOutcome> {
    // The original has the letters as they were; the optimised one may be a third of its size.
    const request = await untilAborted(pictureForReading(picture.original), signal)
    if (request === undefined) return NOTHING
    const name = nameOfLines(await reader.read(request, signal))
    return name === undefined ? NOTHING : { name }
  }

  return async (picture, signal) => {
    const outcome = await line.run(async () => {
      const deadline = AbortSignal.timeout(limits.readDeadlineMs)
      try {
        return await nameOf(picture, AbortSignal.any([signal, deadline]))
      } catch {
        signal.throwIfAborted()
        return deadline.aborted ? LATE : FAILED
      }
    }, signal)
    return outcome === 'full' ? FULL : outcome
  }
}
