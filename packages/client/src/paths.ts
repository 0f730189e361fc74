import { address } from '@patchbay/contracts/core'
import type { deleteSession, getIntentStatus, getWhoami, postIntent } from '@patchbay/contracts/identity'

// Types only: the descriptions bring a schema library along, which a page that signs people in does not need.
const INTENTS: typeof postIntent.path = '/auth/intents'
const STATUS: typeof getIntentStatus.path = '/auth/intents/{token}/status'
export const WHOAMI: typeof getWhoami.path = '/auth/whoami'
export const SESSION: typeof deleteSession.path = '/auth/session'

export function intentsUrl(baseUrl: string): string {
  return baseUrl + INTENTS
}

/** Built from the address that was checked, not from `updates_url`: the verifier goes nowhere else. */
export function statusUrl(baseUrl: string, token: string): string {
  return baseUrl + address(STATUS, { params: { token } })
}
