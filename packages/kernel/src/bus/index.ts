export { createInProcessBus, createInProcessHub } from './in-process/bus.ts'
export type {
  Bus,
  DeliverOutcome,
  Directory,
  Holder,
  Member,
  NodeChannel,
  RateLimit,
  RateLimitVerdict,
  SendOutcome,
  Waiter,
  Wakeups,
} from './ports/bus.ts'
export { createRedisBus } from './redis/bus.ts'
