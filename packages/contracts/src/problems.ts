/** One table for every failure on the wire. Clients switch on the code; a code is never renamed or reused. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request does not have the documented shape' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  origin_not_allowed: { status: 403, title: 'Requests from this web origin are not accepted' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  body_too_large: { status: 413, title: 'The body is larger than this address accepts' },
  unsupported_media_type: { status: 415, title: 'This address does not take this content type' },
  host_not_allowed: { status: 421, title: 'This server does not answer for this host name' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  database_unavailable: { status: 503, title: 'The database cannot be reached right now' },
  bus_unavailable: { status: 503, title: 'The message bus cannot be reached right now' },
  objects_unavailable: { status: 503, title: 'The object store cannot be reached right now' },
  shutting_down: { status: 503, title: 'This node is shutting down' },
  deadline_exceeded: { status: 504, title: 'The answer was not ready within its deadline' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** What goes over the wire as `application/problem+json` (RFC 9457). */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail?: string
  readonly [extension: string]: unknown
}

export interface ProblemOptions {
  readonly detail?: string
  /** Extra members of the body, such as `errors` or `retry_after_seconds`. */
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

export function isProblemCode(value: unknown): value is ProblemCode {
  return typeof value === 'string' && Object.hasOwn(PROBLEMS, value)
}

/** An expected failure. Anything else that is thrown is a bug and answers 500 without details. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string | undefined
  readonly extensions: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? PROBLEMS[code].title, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.status = PROBLEMS[code].status
    this.detail = options.detail
    this.extensions = options.extensions ?? {}
    this.headers = options.headers ?? {}
  }

  toJSON(): ProblemBody {
    return {
      ...this.extensions,
      type: `urn:patchbay:problem:${this.code}`,
      title: PROBLEMS[this.code].title,
      status: this.status,
      code: this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    }
  }
}
