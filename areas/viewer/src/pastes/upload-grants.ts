import { createHash } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'

export interface UploadGrantsDeps {
  readonly now: () => Date
  /** 128 random bits or more, as letters, digits, `-` and `_`. */
  readonly createNonce: () => string
}

const NONCE_LIFETIME_MS = 10 * 60_000
const GRANT_LIFETIME_MS = 24 * 60 * 60_000
/** Served pages that have not been heard of, and pages that may upload. */
const MOST_NONCES = 1_000
const MOST_GRANTS = 1_000

/**
 * Who may upload: pages that this viewer served. A nonce stands in each of them, which no page of another origin can read;
 * it is traded once. Only in memory, so a restart ends all of it.
 */
export class UploadGrants {
  readonly #deps: UploadGrantsDeps
  readonly #nonces = new Tokens(MOST_NONCES)
  readonly #grants = new Tokens(MOST_GRANTS)

  constructor(deps: UploadGrantsDeps) {
    this.#deps = deps
  }

  /** For one page that is being served. */
  issueNonce(): string {
    const nonce = this.#deps.createNonce()
    this.#nonces.add(nonce, this.#now() + NONCE_LIFETIME_MS)
    return nonce
  }

  trade(nonce: string): string {
    if (!this.#nonces.take(nonce, this.#now())) throw new Problem('upload_not_granted')
    const grant = this.#deps.createNonce()
    this.#grants.add(grant, this.#now() + GRANT_LIFETIME_MS)
    return grant
  }

  require(grant: string): void {
    if (!this.#grants.has(grant, this.#now())) throw new Problem('upload_not_granted')
  }

  #now(): number {
    return this.#deps.now().getTime()
  }
}

/** Known by their digest: how long a search takes tells nothing about the token. The oldest makes room. */
class Tokens {
  readonly #most: number
  readonly #endsAt = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  add(token: string, endsAt: number): void {
    const [oldest] = this.#endsAt.keys()
    if (this.#endsAt.size >= this.#most && oldest !== undefined) this.#endsAt.delete(oldest)
    this.#endsAt.set(digestOf(token), endsAt)
  }

  has(token: string, now: number): boolean {
    return (this.#endsAt.get(digestOf(token)) ?? 0) > now
  }

  take(token: string, now: number): boolean {
    const isThere = this.has(token, now)
    this.#endsAt.delete(digestOf(token))
    return isThere
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
