export { BatchQueue, type BatchQueueOptions } from './batch-queue.ts'
export { forEachConcurrent } from './for-each-concurrent.ts'
export { KeyedMutex } from './keyed-mutex.ts'
export {
  Semaphore,
  type SemaphoreOptions,
  type SemaphoreRefusal,
  SemaphoreRefused,
} from './semaphore.ts'
export { Signal } from './signal.ts'
export { yieldEvery, yieldToEventLoop } from './yield.ts'
