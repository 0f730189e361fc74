import type { IncomingMessage } from 'node:http'
import { Problem } from '@patchbay/contracts/core'
import type { Authenticate } from '../endpoint.ts'

/** Asks the endpoint who this is, and waits no longer than the deadline. */
export async function authenticateInTime<Data>(
  authenticate: Authenticate<Data>,
  request: IncomingMessage,
  timeoutMs: number,
): Promise<Data> {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const problem = new Problem('deadline_exceeded')
    controller.abort(problem)
    late.reject(problem)
  }, timeoutMs)
  try {
    return await Promise.race([authenticate(request, controller.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
