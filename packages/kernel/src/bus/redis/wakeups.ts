import { Bell } from '../bell.ts'
import type { Wakeups } from '../ports/bus.ts'
import { unavailable } from '../ports/errors.ts'
import { Watcher, type Wakeable } from '../ports/watcher.ts'
import type { RedisEngine } from './engine.ts'
import { wakeChannel } from './keys.ts'
import type { Subscriber } from './subscriber.ts'

export interface RedisWakeups extends Wakeups {
  /** Wakes whoever waits for one of these channels on this node. */
  wake(channels: readonly string[]): void
  close(): void
}

/** The waiters of one channel on this node share its subscription. */
interface Listeners {
  readonly bells: Set<Wakeable>
  readonly heard: Promise<void>
}

export function redisWakeups(
  engine: RedisEngine,
  subscriber: Pick<Subscriber, 'subscribe' | 'unsubscribe' | 'hears'>,
): RedisWakeups {
  const channels = new Map<string, Listeners>()
  let closed = false

  const leave = async (channel: string, wakeable: Wakeable) => {
    const listeners = channels.get(channel)
    if (listeners?.bells.delete(wakeable) !== true || listeners.bells.size > 0) return
    channels.delete(channel)
    await subscriber.unsubscribe(channel)
  }

  const join = async (channel: string, wakeable: Wakeable) => {
    const listeners = channels.get(channel) ?? { bells: new Set(), heard: subscriber.subscribe(channel) }
    channels.set(channel, listeners)
    listeners.bells.add(wakeable)
    try {
      await listeners.heard
      // Others may wait on a subscription that has broken since; it comes back, but it is not active now.
      if (!subscriber.hears(channel)) throw unavailable('the subscription is broken')
    } catch (error) {
      await leave(channel, wakeable)
      throw error
    }
  }

  return {
    async listen(key) {
      if (closed) throw unavailable()
      const channel = wakeChannel(key)
      const bell = new Bell((self) => leave(channel, self))
      await join(channel, bell)
      return bell
    },
    async watch(key, onWake) {
      if (closed) throw unavailable()
      const channel = wakeChannel(key)
      const watcher = new Watcher(onWake, (self) => leave(channel, self))
      await join(channel, watcher)
      return watcher
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
