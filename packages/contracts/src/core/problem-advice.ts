import { CONFLICT_ADVICE } from './advice-conflicts.ts'
import { FAILURE_ADVICE } from './advice-failures.ts'
import { REQUEST_ADVICE } from './advice-requests.ts'
import { PROBLEMS, type ProblemCode } from './problems.ts'

/** Sentences for whoever has just been refused. Names of headers, members and commands stand in backticks. */
export interface ProblemAdvice {
  /** When it happens. */
  readonly cause: string
  /** What the caller or the operator does. */
  readonly fix: string
}

/** Apart from `PROBLEMS`, which every client carries: these are for pages and documents alone. */
export const PROBLEM_ADVICE: Readonly<Record<ProblemCode, ProblemAdvice>> = {
  ...REQUEST_ADVICE,
  ...CONFLICT_ADVICE,
  ...FAILURE_ADVICE,
}

/** As HTTP calls them. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  421: 'Misdirected request',
  422: 'Unprocessable content',
  429: 'Too many requests',
  431: 'Request header fields too large',
  451: 'Unavailable for legal reasons',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
}

/** Every status that a problem has, with its codes. */
export function problemsByStatus(): { readonly status: number; readonly codes: readonly ProblemCode[] }[] {
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status))
  return [...statuses].map((status) => ({
    status,
    codes: codes.filter((code) => PROBLEMS[code].status === status),
  }))
}
