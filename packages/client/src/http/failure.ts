import { isProblemCode, PROBLEMS, type ProblemCode } from '@patchbay/contracts/core'
import { LoginError } from '../login-error.ts'

/** A failure that may be gone the next time. Its text holds nothing that the other side, or `fetch`, could have put there. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure'
  readonly status: number | undefined
  readonly problem: ProblemCode | undefined
  /** What the server asked for. */
  readonly retryAfterMs: number

  constructor(
    what: string,
    {
      status,
      problem,
      retryAfterMs = 0,
    }: { status?: number; problem?: ProblemCode | undefined; retryAfterMs?: number } = {},
  ) {
    super(what)
    this.status = status
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

/** What the caller is told when a failure did not pass. */
export function lastingFailure(failure: PassingFailure): LoginError {
  const isTooOften = failure.status === 429
  const problem = failure.problem ?? (isTooOften ? 'rate_limited' : undefined)
  const details = { detail: failure.message, cause: failure, ...(problem === undefined ? {} : { problem }) }
  return new LoginError(isTooOften ? 'refused' : 'unreachable', details)
}

/** Why `fetch` failed, in the system's own word for it and without the address it was told. */
export function networkFailure(error: unknown, isLate: boolean): PassingFailure {
  if (isLate) return new PassingFailure('no answer in time')
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
  return new PassingFailure(code === undefined ? 'the connection failed' : `the connection failed (${code})`)
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(error.code) ? error.code : undefined
}

const ENDINGS: Partial<Record<ProblemCode, 'expired' | 'declined' | 'consumed'>> = {
  intent_expired: 'expired',
  intent_declined: 'declined',
  intent_consumed: 'consumed',
}

/** Asking again may help: the server was late, busy, restarting, or something in front of it was. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

export function refusalOf(status: number, body: unknown): LoginError {
  const problem = problemOf(body)
  // By the contract a status alone says this much.
  if (problem === undefined && status === 410) return new LoginError('expired')
  if (problem === undefined) return new LoginError('refused', { detail: `it answered ${status}` })
  const ending = ENDINGS[problem]
  if (ending !== undefined) return new LoginError(ending, { problem })
  return new LoginError('refused', { problem, detail: PROBLEMS[problem].title })
}

export function problemOf(body: unknown): ProblemCode | undefined {
  const code: unknown = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return isProblemCode(code) ? code : undefined
}
