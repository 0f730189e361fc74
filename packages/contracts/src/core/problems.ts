/** One table for every failure on the wire, by status. Clients switch on the code; a code is never renamed or reused. */
const TITLES = {
  400: {
    invalid_request: 'The request is not in the documented format',
    malformed_json: 'The body is not valid JSON',
    max_age_too_long: 'The requested session lifetime is longer than this server allows',
    challenge_required: 'This server requires a code_challenge',
    source_refused: 'The server is not allowed to fetch from this address',
    malformed_request: 'The request is not valid HTTP',
  },
  401: {
    token_required: 'A valid bearer token is required',
    sign_in_required: 'Sign-in is required',
    credential_invalid: 'The credential is invalid, expired or revoked',
  },
  403: {
    account_disabled: 'The account is disabled',
    access_ended: 'Access to this workspace was revoked',
    browser_session_required: 'This can only be done by a person signed in with a browser',
    ci_token_refused: 'The CI token was rejected',
    csrf_token_required: 'The CSRF token is missing or does not match the session',
    issuer_refused: 'The identity provider rejected the sign-in',
    not_permitted: 'You do not have permission to do this',
    passkey_refused: 'The passkey was rejected',
    upload_not_granted: 'Reload the page before uploading again',
    sign_up_closed: 'Sign-up is not available this way',
    origin_not_allowed: 'Requests from this origin are not allowed',
  },
  404: {
    not_found: 'Not found',
    channel_not_found: 'The device has no such channel, or it takes no commands',
    device_not_found: 'The workspace has no such device',
    board_library_not_found: 'The workspace has no such library',
    board_job_not_found: 'The workspace has no such job, or it is no longer kept',
    board_result_not_found: 'The job has no such result',
    intent_not_found: 'No login request has this token',
    package_not_found: 'Package not found, or you do not have access to it',
    file_not_found: 'The workspace has no such file',
    panel_not_found: 'The workspace has no such panel, tab or split',
    panel_type_not_found: 'The catalog has no such panel',
    paste_not_found: 'Paste not found',
    workspace_not_found: 'Workspace not found',
    ci_service_unknown: 'This server does not trust this CI service',
    feed_too_large: 'The full package list is too large for tools to read',
  },
  405: {
    method_not_allowed: 'Method not allowed',
  },
  408: {
    request_timeout: 'The request took too long to arrive',
  },
  409: {
    bytes_missing: 'The content of a file has not been uploaded to this workspace',
    command_id_taken: 'Another command has this id',
    device_exists: 'The workspace already has a device with this name',
    device_not_armed: 'A person must arm this device first',
    device_offline: 'The device is offline',
    devices_stopped: 'The devices of this workspace are stopped',
    edits_too_old: 'These edits were made on a version that is no longer kept',
    gateway_not_ours: 'Another process is using the gateway port',
    handle_taken: 'This handle is taken',
    identifier_taken: 'This package identifier belongs to another owner',
    intent_already_linked: 'This login request is already linked to a session',
    last_admin: 'The server must keep at least one administrator',
    last_owner: 'An organization must keep at least one owner',
    last_way_in: 'An account must keep at least one way to sign in',
    layout_changed: 'The layout has changed since it was read',
    limit_reached: 'Limit reached',
    nothing_to_undo: 'There is nothing to undo',
    path_taken: 'Another file or folder is in the way',
    panel_mismatch: 'The panel there is not the one that was named',
    panel_type_planned: 'This panel is not available yet',
    proxy_not_available: 'The page proxy is not enabled on this server',
    singleton_exists: 'The workspace already has this panel, and only one is allowed',
    status_change_refused: 'A version cannot change to this status',
    text_not_unique: 'The text to replace is not in the file exactly once',
    type_change_refused: 'The type of a package cannot change',
    version_delete_refused: 'This version can no longer be deleted',
    version_exists: 'This version is already published with different content',
    viewer_not_open: 'No viewer page is open',
    workspace_exists: 'Another workspace has this name',
    workspace_not_open: 'No browser has the workspace open',
  },
  410: {
    ceremony_expired: 'This step has expired. Start over',
    history_gone: 'History this old is no longer kept',
    intent_consumed: 'The session of this login request was already handed out',
    intent_declined: 'The request was declined',
    intent_expired: 'The login request has expired (15 minutes)',
    intent_session_ended: 'The session of this login request has ended',
    invitation_invalid: 'The invitation is invalid, used or expired',
  },
  412: {
    file_changed: 'The file is not the one that was expected',
  },
  413: {
    body_too_large: 'The request body is too large',
  },
  415: {
    unsupported_media_type: 'This content type is not supported here',
  },
  416: {
    range_not_satisfiable: 'The requested range is outside the file',
  },
  421: {
    host_not_allowed: 'This server does not serve this hostname',
  },
  422: {
    archive_refused: 'The archive was rejected',
    board_file_refused: 'KiCad cannot do this with this file',
    board_library_refused: 'The package cannot be used as a library',
    command_invalid: 'The channel does not take this value',
    content_mismatch: 'The uploaded bytes do not have the announced SHA-256',
    file_not_text: 'The file is not text that can be edited',
    invalid_edits: 'The edits do not fit the document',
    metadata_invalid: 'The metadata in the archive is not valid',
    path_refused: 'This is not a valid file path',
    picture_refused: 'The image was rejected',
    schematic_change_refused: 'The schematic does not take this change',
  },
  429: {
    rate_limited: 'Too many requests',
    too_many_jobs: 'Too many jobs are waiting',
    too_many_uploads: 'Too many uploads at once',
    too_many_waiting: 'Too many clients are waiting',
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
    capture_failed: 'The browser could not take the screenshot',
    issuer_unavailable: 'The identity provider cannot be reached',
    source_unavailable: 'The archive could not be fetched',
  },
  503: {
    database_unavailable: 'The database cannot be reached',
    board_engine_missing: 'No KiCad worker is running',
    broker_unavailable: 'The MQTT broker cannot be reached',
    bus_unavailable: 'The message bus cannot be reached',
    folder_unavailable: 'The paste folder cannot be written',
    objects_unavailable: 'The object store cannot be reached',
    shutting_down: 'This node is shutting down',
  },
  504: {
    deadline_exceeded: 'The request timed out',
    viewer_silent: 'The viewer page did not open the widget in time',
    sharing_not_enabled: 'Sharing is not enabled yet; the user has been asked',
    sharing_declined: 'The user declined to share for now',
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
  /** Leads from the address that answered to the page about the code. */
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

/**
 * With its whole path but without a host: whoever answered has the page, under whatever name it was reached, also where
 * the public web cannot be.
 */
export function problemType(code: ProblemCode): string {
  return `/problems/${code}`
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
      type: problemType(this.code),
      title: PROBLEMS[this.code].title,
      status: this.status,
      code: this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    }
  }
}
