/** One table for every failure on the wire. Clients switch on the code; a code is never renamed or reused. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request does not have the documented shape' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  challenge_required: { status: 400, title: 'This installation only opens intents with a code_challenge' },
  source_refused: { status: 400, title: 'The server does not fetch from this address' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  token_required: { status: 401, title: 'A valid bearer token is needed' },
  sign_in_required: { status: 401, title: 'Nobody is signed in' },
  credential_invalid: { status: 401, title: 'The credential is unknown, expired or revoked' },
  account_disabled: { status: 403, title: 'The account is disabled' },
  browser_session_required: { status: 403, title: 'Only a person in their browser can do this' },
  csrf_token_required: { status: 403, title: 'The request does not carry the CSRF token of its session' },
  issuer_refused: { status: 403, title: 'The issuer did not vouch for the person' },
  not_permitted: { status: 403, title: 'The account is not allowed to do this' },
  passkey_refused: { status: 403, title: 'The passkey was not accepted' },
  sign_up_closed: { status: 403, title: 'This installation takes no new accounts this way' },
  origin_not_allowed: { status: 403, title: 'Requests from this web origin are not accepted' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  intent_not_found: { status: 404, title: 'No intent has this token' },
  package_not_found: { status: 404, title: 'No such package, or not for you' },
  feed_too_large: { status: 404, title: 'The list of all packages is larger than tools can read' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  gateway_not_ours: { status: 409, title: 'Another process has the place of the gateway' },
  handle_taken: { status: 409, title: 'The handle belongs to somebody else' },
  identifier_taken: { status: 409, title: 'The package identifier belongs to another owner' },
  intent_already_linked: { status: 409, title: 'The intent is linked to a session' },
  last_admin: { status: 409, title: 'The installation would be left without an administrator' },
  last_owner: { status: 409, title: 'The organisation would be left without an owner' },
  last_way_in: { status: 409, title: 'The account would be left without a way to sign in' },
  limit_reached: { status: 409, title: 'There are as many as there may be' },
  status_change_refused: { status: 409, title: 'A version cannot change to this status' },
  version_exists: { status: 409, title: 'This version is published with other content' },
  ceremony_expired: { status: 410, title: 'What was begun here has ended; begin again' },
  intent_consumed: { status: 410, title: 'The session of this intent was given to another caller' },
  intent_declined: { status: 410, title: 'The person declined' },
  intent_expired: { status: 410, title: 'The intent is older than 15 minutes' },
  intent_session_ended: { status: 410, title: 'The session of this intent has ended' },
  invitation_invalid: { status: 410, title: 'The invitation is unknown, used or expired' },
  body_too_large: { status: 413, title: 'The body is larger than this address accepts' },
  unsupported_media_type: { status: 415, title: 'This address does not take this content type' },
  host_not_allowed: { status: 421, title: 'This server does not answer for this host name' },
  archive_refused: { status: 422, title: 'The archive was not accepted' },
  metadata_invalid: { status: 422, title: 'The metadata in the archive is not valid' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  issuer_unavailable: { status: 502, title: 'The issuer cannot be reached right now' },
  source_unavailable: { status: 502, title: 'The archive could not be fetched' },
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
