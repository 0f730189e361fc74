import type { Finding } from '@patchbay/package-format/validate'
import { escapeHidden } from '@patchbay/primitives/text'

const TITLES = {
  bad_address: 'the repository cannot be used as it is given',
  unreachable: 'the server cannot be reached',
  timeout: 'the server is too slow',
  interrupted: 'the answer broke off',
  busy: 'the server asks to come back later',
  server_error: 'the server has failed',
  unauthorized: 'the server refuses access',
  not_found: 'there is nothing at this address',
  unexpected_status: 'the server gave an unexpected answer',
  redirect_refused: 'a redirect was refused',
  wrong_content: 'the answer is not the file that was asked for',
  too_large: 'the file is larger than allowed',
  hash_mismatch: 'the file is not the one that the repository describes',
  size_mismatch: 'the file has not the size that the repository gives',
  malformed: 'the file cannot be read',
  older_than_cached: 'the repository has gone back to an older state',
  untrusted: 'the signatures of the repository do not hold',
  no_hash: 'the repository gives no hash for the file',
  no_download: 'the repository gives no address for the archive',
  insecure_resource: 'the file would come over an unprotected connection',
  repository_unanswered: 'a repository that comes first did not answer',
  not_listed: 'no repository lists the package',
  package_quarantined: 'an administrator has quarantined the package',
  package_broken: 'the package cannot be used as its repository describes it',
} as const

export type RepositoryFailureCode = keyof typeof TITLES

/** Those that may pass by themselves: worth another attempt, and no reason to distrust what is cached. */
const PASSING: ReadonlySet<RepositoryFailureCode> = new Set([
  'unreachable',
  'timeout',
  'interrupted',
  'busy',
  'server_error',
])

export interface FailureDetails {
  /** The file it is about, without query. */
  readonly url?: string
  readonly findings?: readonly Finding[]
  /** Of `untrusted`: which promise of the signatures is broken. */
  readonly trustReason?: string
  /** How long the server asked to stay away. */
  readonly retryAfterMs?: number
  readonly status?: number
  readonly cause?: unknown
}

/** Why a repository could not be read. The message says what a person can do; it never holds an API key. */
export class RepositoryFailure extends Error {
  override readonly name = 'RepositoryFailure'
  readonly code: RepositoryFailureCode
  readonly url: string | undefined
  readonly findings: readonly Finding[]
  readonly trustReason: string | undefined
  readonly retryAfterMs: number | undefined
  readonly status: number | undefined

  constructor(code: RepositoryFailureCode, advice: string, details: FailureDetails = {}) {
    const where = details.url === undefined ? '' : ` (${details.url})`
    // Advice can hold what a server said.
    const message = escapeHidden(`${TITLES[code]}${where}: ${advice}`)
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.url = details.url === undefined ? undefined : escapeHidden(details.url)
    this.findings = details.findings ?? []
    this.trustReason = details.trustReason
    this.retryAfterMs = details.retryAfterMs
    this.status = details.status
  }

  /** Asking again later may work. */
  get isPassing(): boolean {
    return PASSING.has(this.code)
  }
}
