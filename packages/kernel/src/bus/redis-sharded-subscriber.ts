import { type Cluster, Redis } from 'ioredis'
import { type EngineOptions, observe, slotOwners } from './redis-client.ts'
import { RedisLink } from './redis-link.ts'
import { connectionOptions } from './redis-options.ts'
import { slotOf } from './redis-slot.ts'
import { PING_MS, type Subscriber, type SubscriberEvents } from './redis-subscriber.ts'
import type { ClusterTarget } from './redis-url.ts'
import { unavailable } from './unavailable.ts'

/**
 * A cluster: one link to each master, each channel on the master of its slot, so that load spreads as keys do.
 * The driver's own sharded subscribers are not used: they say nothing about when a channel is heard again.
 */
export function openShardedSubscriber(
  target: ClusterTarget,
  cluster: Cluster,
  options: EngineOptions,
  events: SubscriberEvents,
): Subscriber {
  const links = new Map<string, RedisLink>()
  const kept = new Set<string>()
  /** Masters that dropped subscriptions: what is still theirs after the next refresh is subscribed again. */
  const robbed = new Set<string>()

  const ownerOf = (channel: string) => cluster.slots[slotOf(channel)]?.[0]
  const linkOf = (channel: string) => links.get(ownerOf(channel) ?? '')
  const open = (address: string) => {
    const colon = address.lastIndexOf(':')
    const host = address.slice(0, colon)
    const port = Number(address.slice(colon + 1))
    const client = new Redis({ ...connectionOptions(target, options), host, port })
    observe(client, options.log)
    // The master that is lost may have been replaced: ask who owns its slots now.
    client.on('close', () => refresh())
    const onMoved = () => {
      robbed.add(address)
      refresh()
    }
    return new RedisLink(client, { ...events, sharded: true, pingMs: PING_MS, onMoved })
  }
  const refresh = () => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache()
  }
  const place = (channels: readonly string[]) => {
    const groups = Map.groupBy(channels, linkOf)
    for (const [link, group] of groups) link?.adopt(group)
  }
  const rebalance = () => {
    const owners = slotOwners(cluster)
    for (const address of owners) if (!links.has(address)) links.set(address, open(address))
    const homeless: string[] = [...kept].filter((channel) => linkOf(channel)?.wants(channel) !== true)
    for (const [address, link] of links) {
      const strangers = link.wanted().filter((channel) => (ownerOf(channel) ?? address) !== address)
      homeless.push(...strangers)
      for (const channel of strangers) void link.remove(channel)
      // A channel whose slot nobody owns at the moment waits where it is.
      if (!owners.has(address) && link.wanted().length === 0) {
        links.delete(address)
        link.close()
      }
    }
    place([...new Set(homeless)])
    for (const address of robbed) void links.get(address)?.restore()
    robbed.clear()
  }
  cluster.on('refresh', rebalance)

  return {
    async subscribe(channel) {
      const link = linkOf(channel)
      if (link === undefined) throw unavailable('no master is known for the channel')
      try {
        await link.add(channel)
      } catch (error) {
        // While it was under way, the channel may have been moved to another link.
        for (const other of links.values()) if (other.wants(channel)) void other.remove(channel)
        throw error
      }
    },
    async unsubscribe(channel) {
      await Promise.all(
        [...links.values()].filter((link) => link.wants(channel)).map((link) => link.remove(channel)),
      )
    },
    keep(channel) {
      kept.add(channel)
      place([channel])
    },
    hears: (channel) => linkOf(channel)?.hears(channel) === true,
    isWhole: () => links.size > 0 && [...links.values()].every((link) => link.isReady()),
    close() {
      cluster.off('refresh', rebalance)
      for (const link of links.values()) link.close()
      links.clear()
    },
  }
}
