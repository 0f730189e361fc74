import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import { words } from './advice-words.ts'
import { describeFailure, type FailureText } from './failure.ts'
import { UserError } from './user-error.ts'

export function hasAdvice(code: ProblemCode): boolean {
  return words[code] !== undefined
}

/**
 * As `describeFailure`, with what to do about it. Apart from it because only pages that change something need the
 * sentences, and these are fetched when they are first visited.
 */
export function adviseOn(error: unknown): FailureText {
  if (error instanceof UserError) return { title: error.title, detail: error.detail }
  const sentence = error instanceof Problem ? words[error.code] : undefined
  return sentence ?? describeFailure(error)
}
