import { PROBLEMS, Problem, type ProblemCode, UnexpectedResponse } from '@patchbay/contracts/core'
import { displayText } from '@patchbay/primitives/text'
import { ToolRefusal } from './tool-refusal.ts'

/** What the viewer refuses. */
const VIEWER_WORDS: Partial<Record<ProblemCode, string>> = {
  too_many_waiting:
    'More callers wait for a paste than one viewer serves. End a wait that is not needed, or try again in a minute.',
  shutting_down: 'The viewer is just being stopped. Try again in a few seconds.',
  folder_unavailable:
    'The folder of the pastes cannot be read or written right now. The log of the viewer says why; the person has to look.',
  paste_not_found: 'This paste no longer exists.',
  invalid_request:
    'The viewer did not accept this. If `after` was given: it must be a cursor of this viewer. Leave it out to wait for whatever comes next.',
}

/** A failure in plain words, and without anything that a secret could hide in; `undefined` when nobody expected it. */
export function failureWords(error: unknown): string | undefined {
  if (error instanceof ToolRefusal) return error.message
  if (error instanceof Problem) return VIEWER_WORDS[error.code] ?? problemWords(error)
  if (error instanceof UnexpectedResponse)
    return 'What answers there is not Patchbay, or another version of it. Check the address.'
  return undefined
}

/** As the other side said it, when there is no better advice. */
export function problemWords({ detail, code }: Problem): string {
  const more = detail === undefined ? '' : ` ${displayText(detail, 500)}`
  return `${PROBLEMS[code].title}.${more}`
}
