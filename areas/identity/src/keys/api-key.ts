import type { ApiKey } from '@patchbay/contracts/identity'
import { keyHash, keyPrefix, keyText } from './key-text.ts'

export const KEYS_PER_PERSON = 50
/** A write for each use would make every read a write. */
export const USE_NOTED_EVERY_MS = 60_000

export interface WantedApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** Undefined: it never ends by itself. */
  readonly expiresInSeconds: number | undefined
}

/** What is stored of a new key: nothing that it could be made from. */
export interface NewApiKey {
  readonly name: string
  readonly prefix: string
  readonly hash: Buffer
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export interface KeptApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
}

export function makeApiKey(
  { name, scopes, expiresInSeconds }: WantedApiKey,
  secret: string,
  now: Date,
): { readonly key: string; readonly kept: NewApiKey } {
  const key = keyText(secret)
  const hash = keyHash(key)
  if (hash === undefined) throw new TypeError('a key that was just made is not recognized')
  const expiresAt = expiresInSeconds === undefined ? null : new Date(now.getTime() + expiresInSeconds * 1_000)
  const kept = { name, prefix: keyPrefix(key), hash, scopes: [...new Set(scopes)], createdAt: now, expiresAt }
  return { key, kept }
}

export function presentApiKey(key: KeptApiKey): ApiKey {
  const { id, name, prefix, scopes } = key
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
  }
}
