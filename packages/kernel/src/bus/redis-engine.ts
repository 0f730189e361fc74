import type { Cluster, Redis } from 'ioredis'
import type { ScriptName } from './redis-scripts.ts'
import { unavailable } from './unavailable.ts'

/** How the ports talk to Redis, whatever form it has. Every failure is `Problem('bus_unavailable')`. */
export interface RedisEngine {
  /** Whether channels belong to slots: publish with SPUBLISH, subscribe with SSUBSCRIBE on the slot's master. */
  readonly sharded: boolean
  /** Runs a script on its one key. */
  run(script: ScriptName, key: string, ...args: readonly (string | number)[]): Promise<unknown>
  /** Runs a script on any number of keys, which must be on one server. */
  runOn(script: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
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

  /** Without `async`: every command passes here, and each of its steps costs a turn of the microtask queue. */
  pass<Answer>(command: () => Promise<Answer>): Promise<Answer> {
    if (this.#closed) return Promise.reject(unavailable())
    // A server that answers slower than calls arrive would fill the memory with waiting commands.
    if (this.#underWay >= this.#limit) return Promise.reject(unavailable('too many commands are under way'))
    this.#underWay += 1
    return command().then(
      (answer) => {
        this.#underWay -= 1
        return answer
      },
      (error: unknown) => {
        this.#underWay -= 1
        throw unavailable(error)
      },
    )
  }

  close(): void {
    this.#closed = true
  }
}
