import { PROBLEMS, Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import { words } from './words.ts'

export interface FailureText {
  readonly title: string
  readonly detail: string
}

/** There was no network when the server was to be asked. */
export class Offline extends Error {}

/** Whether it is what somebody answered, and not that nothing came. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Problem || error instanceof UnexpectedResponse
}

/** What a person is told when a request to the server came to nothing. */
export function describeFailure(error: unknown): FailureText {
  if (error instanceof Problem) {
    return {
      title: PROBLEMS[error.code].title,
      detail: error.detail ?? words.refused(error.code),
    }
  }
  if (error instanceof UnexpectedResponse) return words.notPatchbay(error.status)
  if (error instanceof Offline) return words.offline
  if (error instanceof DOMException && error.name === 'TimeoutError') return words.tooLong
  return words.unreachable
}
