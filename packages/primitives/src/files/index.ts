export {
  type AtomicWriteOptions,
  createAtomically,
  writeAtomically,
  writeAtomicallySync,
} from './atomic-file.ts'
export type { LockHolder } from './claim-chain.ts'
export {
  acquireLock,
  acquireLockUnless,
  type FileLock,
  LockBusy,
  type LockOptions,
  withLock,
} from './file-lock.ts'
export { flushFolder, isErrno, removeFile, unlessFailed } from './file-system.ts'
