import { PROBLEMS, Problem, UnexpectedResponse } from '@patchbay/contracts/core'

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
      detail: error.detail ?? `The server refused with “${error.code}”.`,
    }
  }
  if (error instanceof UnexpectedResponse) {
    return {
      title: 'The answer did not come from Patchbay',
      detail: `Something in between answered with status ${error.status}. A proxy may be misconfigured.`,
    }
  }
  if (error instanceof Offline) {
    return { title: 'You are offline', detail: 'The browser has no network connection.' }
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { title: 'The server is taking too long', detail: 'It did not respond in time.' }
  }
  return {
    title: 'The server cannot be reached',
    detail: 'It may be restarting, or the network between you and it is down. Nothing you did is lost.',
  }
}
