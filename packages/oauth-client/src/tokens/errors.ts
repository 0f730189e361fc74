const REASONS = {
  no_record: 'nothing is stored for this user',
  no_refresh_token: 'the access token has run out and there is no refresh token',
  refused: 'the provider no longer accepts the refresh token',
  unusable_record: 'the stored record cannot be used',
} as const

export type NotConnectedReason = keyof typeof REASONS

/** The user has to connect (again). Never carries what the provider or the record said. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
  readonly reason: NotConnectedReason

  constructor(reason: NotConnectedReason, detail?: string) {
    super(`not connected: ${REASONS[reason]}${detail === undefined ? '' : ` (${detail})`}`)
    this.reason = reason
  }
}

/** The token endpoint could not be asked, or said no for a reason that connecting again does not cure. */
export class TokenRequestFailed extends Error {
  override readonly name = 'TokenRequestFailed'
  /** An OAuth error code such as `invalid_client`, or `network`, `timeout`, `malformed_answer`, `http_503`. */
  readonly code: string
  /** Asking again later may work. */
  readonly transient: boolean

  constructor(code: string, transient: boolean) {
    super(`the token request failed: ${code}${transient ? ' (try again later)' : ''}`)
    this.code = code
    this.transient = transient
  }
}

/** Another process has been busy with this user's record for longer than anybody should wait. */
export class TokenRecordBusy extends Error {
  override readonly name = 'TokenRecordBusy'

  constructor() {
    super('another process holds the token record; try again later')
  }
}
