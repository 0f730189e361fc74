import { acquireLockUnless, type FileLock, LockBusy } from '@patchbay/primitives/files'
import type { Surroundings } from '../surroundings.ts'
import { TokenRecordBusy } from './errors.ts'
import { lockPathOf } from './file-name.ts'

const PATIENCE_MS = 30_000

/** One process at a time has to do with a record. `undefined` as soon as `settled` says that there is nothing left to do. */
export async function acquireRecordLock(
  path: string,
  { randomUUID: createId }: Surroundings,
  settled: () => Promise<boolean> = async () => false,
  patienceMs = PATIENCE_MS,
): Promise<FileLock | undefined> {
  try {
    return await acquireLockUnless(lockPathOf(path), settled, { createId, patienceMs })
  } catch (error) {
    if (error instanceof LockBusy) throw new TokenRecordBusy()
    throw error
  }
}
