import { Redis } from 'ioredis'
import { type EngineOptions, observe } from './redis-client.ts'
import { type LinkOptions, RedisLink } from './redis-link.ts'
import { connectionOptions } from './redis-options.ts'
import type { RedisTarget } from './redis-url.ts'

/** The channels this node hears. */
export interface Subscriber {
  /** Resolves when the channel is heard. */
  subscribe(channel: string): Promise<void>
  unsubscribe(channel: string): Promise<void>
  /** Hears the channel whenever there is a connection, from the first one on. */
  keep(channel: string): void
  hears(channel: string): boolean
  /** Whether every server that channels live on is connected. */
  isWhole(): boolean
  close(): void
}

export type SubscriberEvents = Pick<LinkOptions, 'onMessage' | 'onRestored'>

export const PING_MS = 1_000

/** Standalone and Sentinel: one server knows every channel. */
export function openSubscriber(
  target: RedisTarget,
  options: EngineOptions,
  events: SubscriberEvents,
): Subscriber {
  const client = new Redis(connectionOptions(target, options))
  observe(client, options.log)
  const link = new RedisLink(client, { ...events, sharded: false, pingMs: PING_MS, onMoved() {} })
  return {
    subscribe: (channel) => link.add(channel),
    unsubscribe: (channel) => link.remove(channel),
    keep: (channel) => link.adopt([channel]),
    hears: (channel) => link.hears(channel),
    isWhole: () => link.isReady(),
    close: () => link.close(),
  }
}
