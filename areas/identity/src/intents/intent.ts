import { Problem } from '@patchbay/contracts/core'
import { wordsOf } from '@patchbay/contracts/identity'
import { LIMITS } from '@patchbay/contracts/limits'
import { isSecret, sha256 } from '../secrets.ts'

/** An intent as it is stored. The token itself is nowhere in it. */
export interface Intent {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly maxAgeSeconds: number
  readonly label: string | null
  readonly codeChallenge: string | null
  readonly linkedAt: Date | null
  readonly declinedAt: Date | null
  /** When somebody was first told that it has expired. */
  readonly expiredAt: Date | null
}

const WORDS_IN_A_CODE = 2

/** What is looked for in the database; `undefined` for text that is no token, so that guessing costs no query. */
export function intentTokenHash(token: string): Buffer | undefined {
  return isSecret(token) ? sha256(token) : undefined
}

/** What was asked for, to the second: a shorter session than its application counts on ends in the middle of its work. */
export function sessionSeconds(asked: number | undefined, maxSeconds: number): number {
  if (asked === undefined) return Math.min(LIMITS.sessionLifetimeSeconds, maxSeconds)
  if (asked <= maxSeconds) return asked
  throw new Problem('max_age_too_long', {
    detail: `A session may last ${maxSeconds} seconds at most.`,
    extensions: { max_age: maxSeconds },
  })
}

export function expiryOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIMITS.intentLifetimeMs)
}

const WAKE_PREFIX = 'intent:'

/** What whoever waits for an intent is woken by. */
export function wakeKey(tokenHash: Buffer): string {
  return WAKE_PREFIX + tokenHash.toString('base64url')
}

export function tokenHashIn(key: string): Buffer {
  return Buffer.from(key.slice(WAKE_PREFIX.length), 'base64url')
}

/** Two words for people to compare. From the token, so that both sides show the same ones. */
export function confirmationCode(token: string): string {
  return wordsOf(sha256(`confirmation ${token}`).subarray(0, WORDS_IN_A_CODE))
}

/** Why an intent is not there to be looked at. Linked before expired: only a pending intent can expire. */
export function refusal(
  intent: Pick<Intent, 'linkedAt' | 'declinedAt' | 'expiredAt' | 'expiresAt'> | undefined,
  now: Date,
): Problem | undefined {
  if (intent === undefined) return new Problem('intent_not_found')
  if (intent.linkedAt !== null) return undefined
  if (intent.declinedAt !== null) return new Problem('intent_declined')
  return intent.expiredAt !== null || now >= intent.expiresAt ? new Problem('intent_expired') : undefined
}

/** Why an intent could not be decided on. */
export function decisionRefusal(
  intent: Pick<Intent, 'linkedAt' | 'declinedAt' | 'expiredAt' | 'expiresAt'> | undefined,
  now: Date,
): Problem {
  const refused = refusal(intent, now)
  if (refused !== undefined) return refused
  // Still open, so it was the person who could not: their session or account has ended since it was looked up.
  return new Problem(intent?.linkedAt === null ? 'sign_in_required' : 'intent_already_linked')
}

export function presentIntent(token: string, intent: Intent, publicUrl: string) {
  return {
    token,
    created_at: intent.createdAt.toISOString(),
    expires_at: intent.expiresAt.toISOString(),
    requested_max_age: intent.maxAgeSeconds,
    auth_url: `${publicUrl}/approve?token=${token}`,
    updates_url: `${publicUrl}/auth/intents/${token}/status`,
    completed: intent.linkedAt !== null,
    confirmation_code: confirmationCode(token),
  }
}
