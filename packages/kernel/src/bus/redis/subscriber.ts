import { type Cluster, Redis } from 'ioredis'
import { unavailable } from '../ports/errors.ts'
import { connectionOptions } from './connection-options.ts'
import { type EngineOptions, observe, slotOwners } from './engine.ts'
import type { ClusterTarget, RedisTarget } from './url.ts'

interface LinkOptions {
  /** Shard channels live on the master of their slot and are subscribed one by one. */
  readonly sharded: boolean
  readonly pingMs: number
  onMessage(channel: string, message: string): void
  /** These channels are heard again after a time in which messages may have been missed. */
  onRestored(channels: readonly string[]): void
  /** The server handed slots to another one, and dropped our subscriptions with them. */
  onMoved(): void
}

const BATCH = 1_000

/** One connection that only subscribes, and which channels it should hear. */
class RedisLink {
  readonly #client: Redis
  readonly #options: LinkOptions
  readonly #wanted = new Set<string>()
  readonly #heard = new Set<string>()
  readonly #ping: NodeJS.Timeout

  constructor(client: Redis, options: LinkOptions) {
    this.#client = client
    this.#options = options
    client.on(options.sharded ? 'smessage' : 'message', (channel: string, message: string) =>
      options.onMessage(channel, message),
    )
    client.on('ready', () => void this.restore())
    client.on('close', () => this.#heard.clear())
    client.on('moved', () => options.onMoved())
    // A subscriber sends nothing: only a question it asks itself can show that its server hangs or its network is cut.
    this.#ping = setInterval(() => {
      if (client.status === 'ready') client.ping().catch(() => undefined)
    }, options.pingMs)
    if (client.status === 'ready') void this.restore()
  }

  isReady(): boolean {
    return this.#client.status === 'ready'
  }

  hears(channel: string): boolean {
    return this.#heard.has(channel)
  }

  wants(channel: string): boolean {
    return this.#wanted.has(channel)
  }

  wanted(): readonly string[] {
    return [...this.#wanted]
  }

  /** Resolves when the channel is heard. A failure leaves nothing behind. */
  async add(channel: string): Promise<void> {
    this.#wanted.add(channel)
    try {
      await this.#subscribe([channel])
    } catch (error) {
      this.#wanted.delete(channel)
      throw unavailable(error)
    }
  }

  /** Wants the channels from now on; they are heard as soon as the connection allows. */
  adopt(channels: readonly string[]): void {
    for (const channel of channels) this.#wanted.add(channel)
    if (this.#client.status === 'ready') void this.#restore(channels)
  }

  async remove(channel: string): Promise<void> {
    this.#wanted.delete(channel)
    this.#heard.delete(channel)
    if (this.#client.status !== 'ready') return
    const unsubscribed = this.#options.sharded
      ? this.#client.sunsubscribe(channel)
      : this.#client.unsubscribe(channel)
    // A connection that breaks now comes back without the channel, which is all that was asked for.
    await unsubscribed.catch(() => undefined)
  }

  restore(): Promise<void> {
    return this.#restore(this.wanted())
  }

  close(): void {
    clearInterval(this.#ping)
    this.#wanted.clear()
    this.#client.disconnect()
  }

  async #restore(channels: readonly string[]): Promise<void> {
    try {
      for (let start = 0; start < channels.length; start += BATCH) {
        const batch = channels.slice(start, start + BATCH).filter((channel) => this.#wanted.has(channel))
        if (batch.length === 0) continue
        await this.#subscribe(batch)
        this.#options.onRestored(batch)
      }
    } catch {
      // Half of the channels would stay silent on a connection that looks healthy: begin again with a new one.
      if (this.#client.status === 'ready') this.#client.disconnect(true)
    }
  }

  async #subscribe(channels: readonly string[]): Promise<void> {
    if (this.#options.sharded) await Promise.all(channels.map((channel) => this.#client.ssubscribe(channel)))
    else await this.#client.subscribe(...channels)
    for (const channel of channels) if (this.#wanted.has(channel)) this.#heard.add(channel)
  }
}

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

const PING_MS = 1_000

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

const SLOTS = 16_384

/** The cluster slot of a key or sharded channel: CRC16 (XMODEM) of its hash tag, or of all of it. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open === -1 ? -1 : key.indexOf('}', open + 1)
  const hashed = close > open + 1 ? key.slice(open + 1, close) : key
  let crc = 0
  for (const byte of Buffer.from(hashed)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc % SLOTS
}
