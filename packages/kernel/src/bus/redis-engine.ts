import type { Cluster, Redis } from 'ioredis'
import type { ScriptName } from './redis-scripts.ts'
import { unavailable } from './unavailable.ts'

/** How the ports talk to Redis, whatever form it has. Every failure is `Problem('bus_unavailable')`. */
export interface RedisEngine {
  /** Whether channels belong to slots: publish with SPUBLISH, subscribe with SSUBSCRIBE on the slot's master. */
  readonly sharded: boolean
  /** Runs a script on its one key. */
  run(script: ScriptName, key: string, ...args: readonly (string | number)[]): Promise<unknown>
  ask<Answer>(command: (client: Redis | Cluster) => Promise<Answer>): Promise<Answer>
  publish(channel: string, message: string): Promise<void>
  /** Resolves when every server that holds a part of the data answers. */
  ping(): Promise<void>
  /** Whether every server that holds a part of the data is connected. */
  isWhole(): boolean
  /** Called whenever a server is connected anew: it may have lost what it knew. */
  onConnect(listener: () => void): void
  close(): void
}

/** Counts what is under way and turns every failure into the one problem. */
export class Gate {
  readonly #limit: number
  #underWay = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  async pass<Answer>(command: () => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw unavailable()
    // A server that answers slower than calls arrive would fill the memory with waiting commands.
    if (this.#underWay >= this.#limit) throw unavailable('too many commands are under way')
    this.#underWay += 1
    try {
      return await command()
    } catch (error) {
      throw unavailable(error)
    } finally {
      this.#underWay -= 1
    }
  }

  close(): void {
    this.#closed = true
  }
}
