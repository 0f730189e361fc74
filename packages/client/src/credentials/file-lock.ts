import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Surroundings } from '../surroundings.ts'
import { CredentialsFault } from './credentials-fault.ts'

const LOOK_EVERY_MS = 25
/** Whoever holds the lock needs milliseconds; one of this age was left by a process that was killed. */
const ABANDONED_AFTER_MS = 10_000
const WAIT_MS = 15_000

/** One writer at a time: two logins at two servers must not undo each other's entry. */
export async function withFileLock<T>(
  path: string,
  { now }: Surroundings,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`
  const giveUpAt = now() + WAIT_MS
  while (!(await take(lock))) {
    if (now() > giveUpAt) throw new CredentialsFault(path, 'is being written by another process')
    const made = await stat(lock).catch(() => undefined)
    if (made !== undefined && now() - made.mtimeMs > ABANDONED_AFTER_MS) await rm(lock, { force: true })
    else await sleep(LOOK_EVERY_MS)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new CredentialsFault(lock, 'cannot be made')
  }
}
