import { askOnce, type CallerOptions, type Request } from '../http/request.ts'
import { statusUrl } from '../paths.ts'
import type { Surroundings } from '../surroundings.ts'
import type { PendingLogin } from './pending-login.ts'
import { type LoginStatus, statusOf } from './status.ts'

/** One wait for one login. */
export interface Watch {
  readonly pending: PendingLogin
  readonly caller: CallerOptions
  readonly pollIntervalMs: number
  readonly surroundings: Surroundings
}

/** The server says itself when an intent has expired; it is given a moment to. */
const GRACE_MS = 5_000

export function isOver({ pending, surroundings }: Watch): boolean {
  return surroundings.now() > pending.waitUntil + GRACE_MS
}

export function statusRequest({ baseUrl, token, verifier }: PendingLogin): Request {
  return { method: 'GET', url: statusUrl(baseUrl, token), headers: { 'intent-verifier': verifier } }
}

/** One poll. */
export async function askStatus(
  { pending, caller, surroundings }: Watch,
  signal = caller.signal,
): Promise<LoginStatus> {
  const { body } = await askOnce(statusRequest(pending), { ...caller, signal }, surroundings)
  return statusOf(body)
}
