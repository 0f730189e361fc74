import { Alarm, openWaiter } from './alarm.ts'
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
  readonly alarms: Set<Alarm>
  readonly heard: Promise<void>
}

export function redisWakeups(
  engine: RedisEngine,
  subscriber: Pick<Subscriber, 'subscribe' | 'unsubscribe' | 'hears'>,
): RedisWakeups {
  const channels = new Map<string, Listeners>()
  let closed = false

  const leave = async (channel: string, alarm: Alarm) => {
    const listeners = channels.get(channel)
    if (listeners?.alarms.delete(alarm) !== true || listeners.alarms.size > 0) return
    channels.delete(channel)
    await subscriber.unsubscribe(channel)
  }

  const watch = async (key: string, onWake: () => void, onEnd?: () => void) => {
    if (closed) throw unavailable()
    const channel = wakeChannel(key)
    const alarm = new Alarm(onWake, async (self) => {
      onEnd?.()
      await leave(channel, self)
    })
    const listeners = channels.get(channel) ?? { alarms: new Set(), heard: subscriber.subscribe(channel) }
    channels.set(channel, listeners)
    listeners.alarms.add(alarm)
    try {
      await listeners.heard
      // Others may wait on a subscription that has broken since; it comes back, but it is not active now.
      if (!subscriber.hears(channel)) throw unavailable('the subscription is broken')
    } catch (error) {
      await leave(channel, alarm)
      throw error
    }
    return alarm
  }

  return {
    listen: (key) => openWaiter((onWake, onEnd) => watch(key, onWake, onEnd)),
    watch: (key, onWake) => watch(key, onWake),
    async notify(key) {
      if (closed) throw unavailable()
      await engine.publish(wakeChannel(key), '')
    },
    wake(woken) {
      for (const channel of woken) for (const alarm of channels.get(channel)?.alarms ?? []) alarm.wake()
    },
    close() {
      closed = true
      const open = [...channels.values()]
      // Cleared first: the connection ends, so its subscriptions need no farewell one by one.
      channels.clear()
      for (const { alarms } of open) for (const alarm of alarms) void alarm[Symbol.asyncDispose]()
    },
  }
}
