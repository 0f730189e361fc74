import type { Redis } from 'ioredis'
import { unavailable } from './unavailable.ts'

export interface LinkOptions {
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
export class RedisLink {
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
