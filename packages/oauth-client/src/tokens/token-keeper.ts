import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { withLock } from '@patchbay/primitives/files'
import type { Credentials } from '../credentials/index.ts'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import { NotConnected } from './errors.ts'
import { fileNameOf, lockPathOf, recordPathOf } from './file-name.ts'
import { renewAccessToken } from './renewal.ts'
import { type RetryTimes, withRetries } from './retry.ts'
import { type CodeExchange, TokenEndpoint } from './token-endpoint.ts'
import { makePrivateFolder, prepareWrite, readRecord, recordLockOptions, removeRecord } from './token-file.ts'
import { isFresh } from './token-record.ts'

export interface TokenKeeperOptions {
  /** The name of the provider; records of two providers are kept apart by it. */
  readonly provider: string
  readonly tokenUrl: string | URL
  readonly credentials: Credentials
  /** Where records are kept. Default `.patchbay/oauth` in the user's home. */
  readonly folder?: string
  /** For one request to the token URL. Default 10,000. */
  readonly requestTimeoutMs?: number
  /** For one request and all its repetitions. Default 15,000. */
  readonly retryBudgetMs?: number
  readonly surroundings?: Surroundings
}

/** Keeps the tokens of users at one provider: stores them, hands out access tokens and refreshes them in time. */
export class TokenKeeper {
  readonly #folder: string
  readonly #endpoint: TokenEndpoint
  readonly #times: RetryTimes
  readonly #surroundings: Surroundings
  readonly #renewals = new Map<string, Promise<string>>()

  constructor(options: TokenKeeperOptions) {
    const { provider, tokenUrl, credentials, surroundings = systemSurroundings } = options
    const { folder = join(homedir(), '.patchbay', 'oauth') } = options
    this.#folder = join(folder, fileNameOf(provider))
    this.#surroundings = surroundings
    this.#times = { budgetMs: options.retryBudgetMs ?? 15_000, attemptMs: options.requestTimeoutMs ?? 10_000 }
    this.#endpoint = new TokenEndpoint(tokenUrl, credentials, surroundings)
  }

  /** Exchanges an authorization code for tokens and stores them for the user, in place of earlier ones. */
  async redeem(user: string, code: CodeExchange): Promise<void> {
    const path = this.#path(user)
    const attempt = (signal: AbortSignal) => this.#endpoint.exchange(code, signal)
    await this.#locked(path, async () => {
      // A code works once: what could go wrong with the disk has to go wrong before it is sent.
      const write = await prepareWrite(path, this.#surroundings)
      try {
        await write.commit(await withRetries(attempt, this.#times, this.#surroundings))
      } finally {
        await write.close()
      }
    })
  }

  /**
   * An access token that is good for more than a minute, refreshed if need be. Throws `NotConnected` when the user has
   * to connect, and `TokenRequestFailed` or `TokenRecordBusy` when it may work later.
   * @param rejected a token that the provider's API has refused: it is not handed out again
   */
  async getAccessToken(user: string, { rejected }: { rejected?: string | undefined } = {}): Promise<string> {
    const path = this.#path(user)
    const record = await readRecord(path)
    if (record === undefined) throw new NotConnected('no_record')
    if (record.accessToken !== rejected && isFresh(record, this.#surroundings.now()))
      return record.accessToken
    if (record.refreshToken === undefined) throw new NotConnected('no_refresh_token')
    const key = JSON.stringify([user, rejected])
    const running = this.#renewals.get(key)
    if (running !== undefined) return running
    const token = renewAccessToken({
      path,
      seen: record,
      rejected,
      endpoint: this.#endpoint,
      times: this.#times,
      surroundings: this.#surroundings,
    }).finally(() => this.#renewals.delete(key))
    this.#renewals.set(key, token)
    return token
  }

  /** Whether there is an access token, or a way to get one. Asks nobody but the disk. */
  async isConfigured(user: string): Promise<boolean> {
    const record = await readRecord(this.#path(user)).catch((error: unknown) => {
      if (error instanceof NotConnected) return undefined
      throw error
    })
    if (record === undefined) return false
    return record.refreshToken !== undefined || isFresh(record, this.#surroundings.now())
  }

  /** Forgets the user's tokens. Whether there were any. */
  async disconnect(user: string): Promise<boolean> {
    const path = this.#path(user)
    return this.#locked(path, () => removeRecord(path))
  }

  #path(user: string): string {
    return recordPathOf(this.#folder, user)
  }

  /** What a refresh under way writes must not come after, and undo, what is written here. */
  async #locked<T>(path: string, work: () => Promise<T>): Promise<T> {
    await makePrivateFolder(dirname(path))
    return withLock(lockPathOf(path), recordLockOptions(this.#surroundings), work)
  }
}
