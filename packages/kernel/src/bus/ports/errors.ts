import { Problem } from '@patchbay/contracts/core'

/**
 * The one way in which the bus fails. The cause keeps name and message of the driver's error only:
 * the error itself carries the command's arguments, and with them whatever secret was on its way.
 */
export function unavailable(cause?: unknown): Problem {
  if (cause instanceof Problem) return cause
  return new Problem('bus_unavailable', { cause: describe(cause) })
}

function describe(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(typeof cause === 'string' ? cause : 'the bus is closed')
  const description = new Error(cause.message)
  description.name = cause.name
  return description
}
