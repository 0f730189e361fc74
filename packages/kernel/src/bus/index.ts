export { createInProcessBus, createInProcessHub, type InProcessHub } from './in-process.ts'
export type {
  Bus,
  DeliverOutcome,
  DeliveryHandler,
  Directory,
  DirectoryOptions,
  Holder,
  Member,
  MessageHandler,
  NodeChannel,
  NodeId,
  Presence,
  RateLimit,
  RateLimitRule,
  RateLimitVerdict,
  Resumed,
  SendOutcome,
  Waiter,
  Wakeups,
  Whereabouts,
} from './ports.ts'
export { createRedisBus, type RedisBusOptions } from './redis-bus.ts'
export { parseRedisUrl, type RedisAddress, type RedisTarget } from './redis-url.ts'
