import type { Wakeups } from '../ports/bus.ts'
import { unavailable } from '../ports/errors.ts'
import { openWaiter, Watcher } from '../ports/watcher.ts'
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
  readonly watchers: Set<Watcher>
  readonly heard: Promise<void>
}

export function redisWakeups(
  engine: RedisEngine,
  subscriber: Pick<Subscriber, 'subscribe' | 'unsubscribe' | 'hears'>,
): RedisWakeups {
  const channels = new Map<string, Listeners>()
  let closed = false

  const leave = async (channel: string, watcher: Watcher) => {
    const listeners = channels.get(channel)
    if (listeners?.watchers.delete(watcher) !== true || listeners.watchers.size > 0) return
    channels.delete(channel)
    await subscriber.unsubscribe(channel)
  }

  const watch = async (key: string, onWake: () => void, onEnd?: () => void) => {
    if (closed) throw unavailable()
    const channel = wakeChannel(key)
    const watcher = new Watcher(onWake, async (self) => {
      onEnd?.()
      await leave(channel, self)
    })
    const listeners = channels.get(channel) ?? { watchers: new Set(), heard: subscriber.subscribe(channel) }
    channels.set(channel, listeners)
    listeners.watchers.add(watcher)
    try {
      await listeners.heard
      // Others may wait on a subscription that has broken since; it comes back, but it is not active now.
      if (!subscriber.hears(channel)) throw unavailable('the subscription is broken')
    } catch (error) {
      await leave(channel, watcher)
      throw error
    }
    return watcher
  }

  return {
    listen: (key) => openWaiter((onWake, onEnd) => watch(key, onWake, onEnd)),
    watch: (key, onWake) => watch(key, onWake),
    async notify(key) {
      if (closed) throw unavailable()
      await engine.publish(wakeChannel(key), '')
    },
    wake(woken) {
      for (const channel of woken) for (const watcher of channels.get(channel)?.watchers ?? []) watcher.wake()
    },
    close() {
      closed = true
      const open = [...channels.values()]
      // Cleared first: the connection ends, so its subscriptions need no farewell one by one.
      channels.clear()
      for (const { watchers } of open) for (const watcher of watchers) void watcher[Symbol.asyncDispose]()
    },
  }
}
