/** One table for every failure on the wire, by status. Clients switch on the code; a code is never renamed or reused. */
const TITLES = {
  400: {
    invalid_request: 'The request does not have the documented shape',
    malformed_json: 'The body is not valid JSON',
    max_age_too_long: 'This installation opens no session for that long',
    challenge_required: 'This installation only opens intents with a code_challenge',
    source_refused: 'The server does not fetch from this address',
    malformed_request: 'The request is not valid HTTP',
  },
  401: {
    token_required: 'A valid bearer token is needed',
    sign_in_required: 'Nobody is signed in',
    credential_invalid: 'The credential is unknown, expired or revoked',
  },
  403: {
    account_disabled: 'The account is disabled',
    access_ended: 'A person has ended this access to the workspace',
    browser_session_required: 'Only a person in their browser can do this',
    csrf_token_required: 'The request does not carry the CSRF token of its session',
    issuer_refused: 'The issuer did not vouch for the person',
    not_permitted: 'The account is not allowed to do this',
    passkey_refused: 'The passkey was not accepted',
    upload_not_granted: 'The page that uploads must be loaded afresh',
    sign_up_closed: 'This installation takes no new accounts this way',
    origin_not_allowed: 'Requests from this web origin are not accepted',
  },
  404: {
    not_found: 'There is nothing at this address',
    intent_not_found: 'No intent has this token',
    package_not_found: 'No such package, or not for you',
    panel_not_found: 'The workspace has no such panel, tab or split',
    panel_type_not_found: 'The catalog has no such panel',
    paste_not_found: 'There is no such paste',
    workspace_not_found: 'There is no such workspace',
    feed_too_large: 'The list of all packages is larger than tools can read',
  },
  405: {
    method_not_allowed: 'This address does not take this method',
  },
  408: {
    request_timeout: 'The request did not arrive in time',
  },
  409: {
    gateway_not_ours: 'Another process has the place of the gateway',
    handle_taken: 'The handle belongs to somebody else',
    identifier_taken: 'The package identifier belongs to another owner',
    intent_already_linked: 'The intent is linked to a session',
    last_admin: 'The installation would be left without an administrator',
    last_owner: 'The organization would be left without an owner',
    last_way_in: 'The account would be left without a way to sign in',
    layout_changed: 'The layout is not the one that was read',
    limit_reached: 'There are as many as there may be',
    nothing_to_undo: 'There is nothing to go back to',
    panel_mismatch: 'The panel that was named is not the one that is there',
    panel_type_planned: 'This panel is coming, and cannot be added yet',
    proxy_not_available: 'This installation shows no pages through a proxy',
    singleton_exists: 'The workspace has this panel already, and may have it once',
    status_change_refused: 'A version cannot change to this status',
    type_change_refused: 'A package keeps the type that it has',
    version_delete_refused: 'This version can no longer be deleted',
    version_exists: 'This version is published with other content',
    viewer_not_open: 'No viewer page is open',
    workspace_not_open: 'No browser has the workspace open',
  },
  410: {
    ceremony_expired: 'What was begun here has ended; begin again',
    intent_consumed: 'The session of this intent was given to another caller',
    intent_declined: 'The person declined',
    intent_expired: 'The intent is older than 15 minutes',
    intent_session_ended: 'The session of this intent has ended',
    invitation_invalid: 'The invitation is unknown, used or expired',
  },
  413: {
    body_too_large: 'The body is larger than this address accepts',
  },
  415: {
    unsupported_media_type: 'This address does not take this content type',
  },
  416: {
    range_not_satisfiable: 'The file has no such bytes',
  },
  421: {
    host_not_allowed: 'This server does not answer for this host name',
  },
  422: {
    archive_refused: 'The archive was not accepted',
    metadata_invalid: 'The metadata in the archive is not valid',
    picture_refused: 'The picture was not accepted',
  },
  429: {
    rate_limited: 'Too many requests',
    too_many_uploads: 'More pictures are being saved than one viewer takes at once',
    too_many_waiting: 'More callers are waiting than one viewer serves',
  },
  431: {
    headers_too_large: 'The request headers are too large',
  },
  451: {
    package_quarantined: 'An administrator has quarantined this package',
  },
  500: {
    internal_error: 'Something went wrong on our side',
  },
  502: {
    capture_failed: 'The browser could not take the picture',
    issuer_unavailable: 'The issuer cannot be reached right now',
    source_unavailable: 'The archive could not be fetched',
  },
  503: {
    database_unavailable: 'The database cannot be reached right now',
    bus_unavailable: 'The message bus cannot be reached right now',
    folder_unavailable: 'The folder of the pastes cannot be written',
    objects_unavailable: 'The object store cannot be reached right now',
    shutting_down: 'This node is shutting down',
  },
  504: {
    deadline_exceeded: 'The answer was not ready within its deadline',
    viewer_silent: 'The viewer page did not show the widget in time',
    sharing_not_enabled: 'The person has not enabled sharing yet; they have been asked',
    sharing_declined: 'The person does not want to share for now',
  },
} as const satisfies Record<number, Record<string, string>>

type CodesOf<Group> = Group extends unknown ? keyof Group : never
export type ProblemCode = CodesOf<(typeof TITLES)[keyof typeof TITLES]>

interface ProblemKind {
  readonly status: number
  readonly title: string
}

// By status above: the client libraries carry this table to browsers, and written out it is a third larger.
export const PROBLEMS = Object.fromEntries(
  Object.entries(TITLES).flatMap(([status, titles]) =>
    Object.entries(titles).map(([code, title]) => [code, { status: Number(status), title }]),
  ),
) as Readonly<Record<ProblemCode, ProblemKind>>

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
