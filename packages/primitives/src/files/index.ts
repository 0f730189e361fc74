export {
  acquireLock,
  acquireLockUnless,
  type FileLock,
  LockBusy,
  type LockOptions,
  withLock,
} from './file-lock.ts'
export type { LockHolder } from './claim-chain.ts'
export { flushFolder, removeFile, unlessFailed } from './file-system.ts'
