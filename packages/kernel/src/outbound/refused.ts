/** For the person who named the address: nothing here may tell how the network behind this process looks. */
const MESSAGES = {
  url: 'This is not a complete web address.',
  scheme: 'Only addresses that begin with https:// or http:// are fetched, and https never leads to http.',
  credentials: 'The address contains a user name or a password. Use one without.',
  address: 'The address does not lead to a public server.',
  name: 'The name in the address does not lead to a public server.',
  port: 'The address names a port that is not used for fetching.',
  redirects: 'The server passes the request on too many times.',
  too_large: 'The server sends more than is allowed.',
  encoding: 'The server sends the file in an encoded form, although the plain one was asked for.',
  deadline: 'The server took too long.',
  unreachable: 'The server could not be reached, or gave no valid answer.',
  interrupted: 'The server broke off before the end.',
  closed: 'This service is shutting down. Try again in a moment.',
} as const satisfies Record<string, string>

export type OutboundRefusal = keyof typeof MESSAGES

/** A request to an address that somebody named was not made, or not finished. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused'
  readonly reason: OutboundRefusal

  /** The details are the cause, for the log alone. */
  constructor(reason: OutboundRefusal, details?: unknown) {
    super(MESSAGES[reason], details === undefined ? {} : { cause: asError(details) })
    this.reason = reason
  }
}

function asError(details: unknown): Error {
  return details instanceof Error ? details : new Error(String(details))
}
