import { Problem } from '@patchbay/contracts/core'

/** Why a picture is not taken, in words for whoever pasted it. */
export function refused(detail: string, cause?: unknown): Problem {
  return new Problem('picture_refused', { detail, ...(cause === undefined ? {} : { cause }) })
}

export const TOO_LONG = 'It took too long to read the picture. Save it as PNG and try again.'
export const CUT_OFF = 'The picture is damaged or was cut off. Copy or save it again.'
export const NOT_STARTED =
  'This machine has no room for the process that reads pictures. Try again in a while.'
export const UNUSUAL = 'The picture is built in a way that is not supported. Save it as PNG and try again.'
