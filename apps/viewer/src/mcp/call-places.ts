import { Problem } from '@patchbay/contracts'

/** Each may hold a picture of 4 MiB until its caller has read it. */
const MOST_CALLS = 32
const RETRY_AFTER_SECONDS = 5

/** How many calls of agents are served at once. */
export class CallPlaces {
  #taken = 0

  /** For one message, or each of a batch. Answers how to give the places back. */
  take(body: unknown): () => void {
    const calls = Array.isArray(body) ? body.length : 1
    if (this.#taken + calls > MOST_CALLS) throw tooMany()
    this.#taken += calls
    return () => {
      this.#taken -= calls
    }
  }
}

function tooMany(): Problem {
  return new Problem('too_many_waiting', {
    detail: `${MOST_CALLS} calls of agents are served at once. Try again in ${RETRY_AFTER_SECONDS} s.`,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
