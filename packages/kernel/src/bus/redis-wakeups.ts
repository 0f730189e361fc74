import { Bell } from './bell.ts'
import type { Wakeups } from './ports.ts'
import type { RedisEngine } from './redis-engine.ts'
import { wakeChannel } from './redis-keys.ts'
import type { Subscriber } from './redis-subscriber.ts'
import { unavailable } from './unavailable.ts'

export interface RedisWakeups extends Wakeups {
  /** Wakes whoever waits for one of these channels on this node. */
  wake(channels: readonly string[]): void
  close(): void
}

/** The waiters of one channel on this node share its subscription. */
interface Listeners {
  readonly bells: Set<Bell>
  readonly heard: Promise<void>
}

export function redisWakeups(
  engine: RedisEngine,
  subscriber: Pick<Subscriber, 'subscribe' | 'unsubscribe' | 'hears'>,
): RedisWakeups {
  const channels = new Map<string, Listeners>()
  let closed = false

  const leave = async (channel: string, listeners: Listeners, bell: Bell) => {
    listeners.bells.delete(bell)
    if (listeners.bells.size > 0 || channels.get(channel) !== listeners) return
    channels.delete(channel)
    await subscriber.unsubscribe(channel)
  }

  return {
    async listen(key) {
      if (closed) throw unavailable()
      const channel = wakeChannel(key)
      const listeners = channels.get(channel) ?? { bells: new Set(), heard: subscriber.subscribe(channel) }
      channels.set(channel, listeners)
      const bell = new Bell((self) => leave(channel, listeners, self))
      listeners.bells.add(bell)
      try {
        await listeners.heard
        // Others may wait on a subscription that has broken since; it comes back, but it is not active now.
        if (!subscriber.hears(channel)) throw unavailable('the subscription is broken')
        return bell
      } catch (error) {
        await leave(channel, listeners, bell)
        throw error
      }
    },
    async notify(key) {
      if (closed) throw unavailable()
      await engine.publish(wakeChannel(key), '')
    },
    wake(woken) {
      for (const channel of woken) for (const bell of channels.get(channel)?.bells ?? []) bell.ring()
    },
    close() {
      closed = true
      const open = [...channels.values()]
      // Cleared first: the connection ends, so its subscriptions need no farewell one by one.
      channels.clear()
      for (const { bells } of open) for (const bell of bells) void bell[Symbol.asyncDispose]()
    },
  }
}
