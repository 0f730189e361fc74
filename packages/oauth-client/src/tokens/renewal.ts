import { acquireLockUnless, type FileLock } from '@patchbay/primitives/files'
import type { Surroundings } from '../surroundings.ts'
import { NotConnected, TokenRecordBusy, TokenRequestFailed } from './errors.ts'
import { lockPathOf } from './file-name.ts'
import { type RetryTimes, withRetries } from './retry.ts'
import type { TokenEndpoint } from './token-endpoint.ts'
import { GrantRefused } from './token-failure.ts'
import { prepareWrite, readRecord, recordLockOptions, removeRecord } from './token-file.ts'
import { hasExpired, isFresh, type TokenRecord } from './token-record.ts'

export interface Renewal {
  readonly path: string
  /** The record that was found wanting. */
  readonly seen: TokenRecord
  /** An access token that must not be handed out again. */
  readonly rejected: string | undefined
  readonly endpoint: TokenEndpoint
  readonly times: RetryTimes
  readonly surroundings: Surroundings
}

/** A new access token: from the provider, or from whichever process was first to ask it. */
export async function renewAccessToken(renewal: Renewal): Promise<string> {
  const { path, seen, rejected, surroundings } = renewal
  let found: string | undefined
  const settled = async () => {
    found = usableToken(renewal, await readStored(path))
    return found !== undefined
  }
  try {
    const lock = await acquireLockUnless(lockPathOf(path), settled, recordLockOptions(surroundings))
    if (lock !== undefined) found = await renewWith(lock, renewal)
  } catch (error) {
    const stillGood = seen.accessToken !== rejected && !hasExpired(seen, surroundings.now())
    if (isPassing(error) && stillGood) return seen.accessToken
    throw error
  }
  return found ?? seen.accessToken
}

async function renewWith(lock: FileLock, renewal: Renewal): Promise<string> {
  try {
    // Between the first look and the lock, somebody may have used up the refresh token that was seen.
    const record = await readStored(renewal.path)
    return usableToken(renewal, record) ?? (await askProvider(lock, renewal, record))
  } finally {
    await lock.release()
  }
}

/**
 * From the moment in which a provider that rotates sends its answer, the stored refresh token is spent. A process that
 * dies before the rename takes the only copy of the new one with it, and the user must connect again. So everything
 * that can be done is done before the request, and between the answer and the rename there is one write and one flush.
 */
async function askProvider(lock: FileLock, renewal: Renewal, record: TokenRecord): Promise<string> {
  const { path, endpoint, times, surroundings } = renewal
  const { refreshToken } = record
  if (refreshToken === undefined) throw new NotConnected('no_refresh_token')
  const write = await prepareWrite(path, surroundings)
  try {
    const attempt = async (signal: AbortSignal) => {
      if (!(await lock.isHeld())) throw new TokenRecordBusy()
      return endpoint.refresh(record, refreshToken, signal)
    }
    const renewed = await withRetries(attempt, times, surroundings)
    await write.commit(renewed)
    return renewed.accessToken
  } catch (error) {
    if (!(error instanceof GrantRefused)) throw error
    await forget(path, refreshToken)
    throw new NotConnected('refused')
  } finally {
    await write.close()
  }
}

/** A record that was renewed meanwhile is a good one. */
async function forget(path: string, refusedToken: string): Promise<void> {
  const record = await readRecord(path)
  if (record?.refreshToken === refusedToken) await removeRecord(path)
}

/** A token that lives for less than the margin is good as long as it is new, or every process would ask for its own. */
function usableToken({ seen, rejected, surroundings }: Renewal, record: TokenRecord): string | undefined {
  const { accessToken } = record
  const now = surroundings.now()
  if (accessToken === rejected) return undefined
  const isNew = accessToken !== seen.accessToken && !hasExpired(record, now)
  return isNew || isFresh(record, now) ? accessToken : undefined
}

async function readStored(path: string): Promise<TokenRecord> {
  const record = await readRecord(path)
  if (record === undefined) throw new NotConnected('no_record')
  return record
}

function isPassing(error: unknown): boolean {
  return error instanceof TokenRecordBusy || (error instanceof TokenRequestFailed && error.transient)
}
