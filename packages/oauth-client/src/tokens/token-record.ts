import type { TokenEndpointResponse } from 'oauth4webapi'

/** One user's tokens at one provider, as they are stored. */
export interface TokenRecord {
  readonly accessToken: string
  readonly refreshToken?: string
  /** Epoch milliseconds. Absent when the provider did not say: then no time ends the token. */
  readonly expiresAt?: number
}

const REFRESH_MARGIN_MS = 60_000

/** `undefined` for what is no record. Members that are not ours stay, so that a refresh does not drop them. */
export function parseRecord(text: string): TokenRecord | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { accessToken, refreshToken, expiresAt, ...others }: Record<string, unknown> = { ...value }
  if (typeof accessToken !== 'string' || accessToken === '') return undefined
  if (!isAbsent(refreshToken) && (typeof refreshToken !== 'string' || refreshToken === '')) return undefined
  if (!isAbsent(expiresAt) && (typeof expiresAt !== 'number' || !Number.isFinite(expiresAt))) return undefined
  return {
    ...others,
    accessToken,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
  }
}

/** Whether the token can be handed out without asking the provider. */
export function isFresh({ expiresAt }: TokenRecord, now: number): boolean {
  return expiresAt === undefined || expiresAt - now > REFRESH_MARGIN_MS
}

export function hasExpired({ expiresAt }: TokenRecord, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/** A person who connects again may have chosen another account: nothing of an earlier record is kept. */
export function connectedRecord(answer: TokenEndpointResponse, sentAt: number): TokenRecord {
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.expires_in !== undefined && { expiresAt: sentAt + answer.expires_in * 1_000 }),
  }
}

/** The old refresh token stays when none is returned; an old end must not stay with a new access token. */
export function refreshedRecord(
  record: TokenRecord,
  answer: TokenEndpointResponse,
  sentAt: number,
): TokenRecord {
  const { expiresAt: _, ...old } = record
  return { ...old, ...connectedRecord(answer, sentAt) }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
