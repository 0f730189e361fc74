import { isSecret, sha256 } from '../secrets.ts'

export type SessionKind = 'browser' | 'application'

/** The kind is part of the token, so that a cookie's value is no bearer token, and the other way round. */
const PREFIXES: Readonly<Record<SessionKind, string>> = { browser: 'bro_', application: 'tok_' }

/** A session as it is stored, with whose it is. Whether it still counts is another question. */
export interface StoredSession {
  readonly id: string
  readonly kind: SessionKind
  readonly personId: string
  readonly handle: string
  readonly displayName: string
  readonly isAdmin: boolean
  readonly label: string | null
  readonly lastUsedAt: Date
  readonly idleExpiresAt: Date | null
  readonly expiresAt: Date
}

export function isLive({ expiresAt, idleExpiresAt }: StoredSession, now: Date): boolean {
  return now < expiresAt && (idleExpiresAt === null || now < idleExpiresAt)
}

/** `last_used_at` is written this seldom: a write per request would make every read a write. */
export const TOUCH_INTERVAL_MS = 60_000
const USER_AGENT_LENGTH = 300

/** Where a request came from, as it is kept with what it created. */
export interface Origin {
  readonly network: string
  readonly userAgent: string
}

export function sessionToken(kind: SessionKind, secret: string): string {
  return PREFIXES[kind] + secret
}

/** What is looked for in the database; `undefined` for text that no token of this kind looks like. */
export function sessionTokenHash(kind: SessionKind, token: string): Buffer | undefined {
  const prefix = PREFIXES[kind]
  return token.startsWith(prefix) && isSecret(token.slice(prefix.length)) ? sha256(token) : undefined
}

/**
 * The value a page sends back to show that it could read our answer, which no other site can. Derived from the session:
 * nothing to store, and it ends with it.
 */
export function csrfToken(token: string): string {
  return sha256(`csrf ${token}`).toString('base64url')
}

export function cutUserAgent(text: string | undefined): string {
  return (text ?? '').slice(0, USER_AGENT_LENGTH)
}
