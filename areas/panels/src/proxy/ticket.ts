import { createHash } from 'node:crypto'

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

/** What the address of a page begins with; that of the page follows, percent-encoded. */
export function ticketAddress(proxyUrl: string, token: string): string {
  return `${proxyUrl}/page/${token}/`
}
