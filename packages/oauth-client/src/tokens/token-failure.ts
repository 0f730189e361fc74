import { ResponseBodyError } from 'oauth4webapi'
import { TokenRequestFailed } from './errors.ts'

/** A failure that may be gone the next time. */
export class PassingFailure extends TokenRequestFailed {
  /** What the provider asked for. */
  readonly retryAfterMs: number

  constructor(code: string, retryAfterMs = 0) {
    super(code, true)
    this.retryAfterMs = retryAfterMs
  }
}

/** The provider refused the code or the refresh token itself. */
export class GrantRefused extends TokenRequestFailed {
  constructor() {
    super('invalid_grant', false)
  }
}

/** `bad_…` is how GitHub says it. */
const REFUSED_GRANT = new Set(['invalid_grant', 'bad_refresh_token', 'bad_verification_code'])
const PASSING = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** The library's errors carry the whole answer, tokens included, so nothing of them but the code is kept. */
export function failureOf(error: unknown): TokenRequestFailed {
  if (error instanceof TokenRequestFailed) return error
  if (!(error instanceof ResponseBodyError)) return new TokenRequestFailed('malformed_answer', false)
  if (REFUSED_GRANT.has(error.error)) return new GrantRefused()
  // A provider could write anything here, even the secret it was sent.
  const code = /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'unreadable_error'
  return PASSING.has(code) ? new PassingFailure(code) : new TokenRequestFailed(code, false)
}

/** Why `fetch` failed, without the address it was told. */
export function networkFailureOf(error: unknown): PassingFailure {
  const timedOut = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return new PassingFailure(timedOut ? 'timeout' : 'network')
}
