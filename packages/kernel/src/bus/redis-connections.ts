import { type EngineOptions, openCluster, openRedis } from './redis-client.ts'
import type { RedisEngine } from './redis-engine.ts'
import { openShardedSubscriber } from './redis-sharded-subscriber.ts'
import { openSubscriber, type Subscriber, type SubscriberEvents } from './redis-subscriber.ts'
import type { RedisTarget } from './redis-url.ts'

export interface RedisConnections {
  readonly engine: RedisEngine
  readonly subscriber: Subscriber
}

/** One connection for commands and one for subscriptions, or one of each per master. */
export function openConnections(
  target: RedisTarget,
  options: EngineOptions,
  events: SubscriberEvents,
): RedisConnections {
  if (target.kind === 'cluster') {
    const { cluster, engine } = openCluster(target, options)
    return { engine, subscriber: openShardedSubscriber(target, cluster, options, events) }
  }
  return { engine: openRedis(target, options), subscriber: openSubscriber(target, options, events) }
}
