import { createHash } from 'node:crypto'

/** Never both: a page of the web can read its ticket, and would read the files with it. */
export type TicketShows = 'web' | 'files'

export const TICKET_LIFETIME_MS = 60 * 60_000
/** Every web view of every open workspace has one; who opens more is no person. */
export const TICKETS_PER_PERSON = 64

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** What the address of a page or file begins with; what it shows follows, percent-encoded. */
export function ticketAddress(proxyUrl: string, token: string, shows: TicketShows = 'web'): string {
  return `${proxyUrl}/${shows === 'web' ? 'page' : 'files'}/${token}/`
}
