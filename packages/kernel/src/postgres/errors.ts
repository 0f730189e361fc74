import { Problem } from '@patchbay/contracts/core'

/** Classes and codes of SQLSTATE that say "not now": another moment, or another server, would have answered. */
const UNAVAILABLE_CLASSES = ['08', '53', '57P']
const UNAVAILABLE_CODES = new Set([
  '25006', // read-only: the primary has become a standby
  '25P03', // idle in a transaction for too long
  '55P03', // lock timeout
  '57014', // statement timeout
])

/** After these the server would go on refusing on the same connection. */
const FATAL_CODES = new Set(['25006', '25P03'])

const STALE_ROUTINE = 'RevalidateCachedQuery'

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** What the driver itself says when a connection is lost or late; these errors have no code. */
const DRIVER_MESSAGES = new Set([
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])

/** Turns "the database is not there" into its problem; any other error is returned as it is. */
export function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  return isUnavailable(error) ? unavailable(error) : error
}

export function unavailable(cause: unknown): Problem {
  return new Problem('database_unavailable', { cause })
}

/** Whether the connection that raised the error must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code === undefined) return isUnavailable(error)
  return code.startsWith('08') || code.startsWith('57P') || FATAL_CODES.has(code)
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  return (
    constraint === undefined ||
    (error instanceof Error && 'constraint' in error && error.constraint === constraint)
  )
}

/** Serialization failure or deadlock: the same transaction, run again, can succeed. */
export function isRepeatable(error: unknown): boolean {
  const code = sqlState(error)
  return code === '40001' || code === '40P01'
}

/**
 * A prepared statement that a migration overtook. It failed before it ran, so running it again is safe.
 * Told by the routine: the message comes in the server's language.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    sqlState(error) === '0A000' &&
    error instanceof Error &&
    'routine' in error &&
    error.routine === STALE_ROUTINE
  )
}

/** PostgreSQL quotes whole rows in these members; loggers print every enumerable one. */
export function hideRowValues(error: unknown): void {
  if (!(error instanceof Error)) return
  for (const member of ['detail', 'where']) {
    if (member in error) Object.defineProperty(error, member, { enumerable: false })
  }
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error)
  if (code !== undefined) {
    return UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.some((prefix) => code.startsWith(prefix))
  }
  return DRIVER_MESSAGES.has(error.message) || isNetworkError(error)
}

/** A host with several addresses fails with one error that holds one for each. */
function isNetworkError(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isNetworkError(one))
  return 'code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code)
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined
}
