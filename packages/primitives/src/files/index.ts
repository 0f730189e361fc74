export { acquireLock, acquireLockUnless, type FileLock, type LockOptions, withLock } from './file-lock.ts'
export { flushFolder, removeFile, unlessFailed } from './file-system.ts'
export { LockBusy } from './lock-busy.ts'
