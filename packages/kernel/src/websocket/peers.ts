import { setTimeout as sleep } from 'node:timers/promises'
import type { SocketPeer } from './socket-peer.ts'

const POLL_MS = 20

/** All open peers of a server, dealt out evenly over slices so that a sweep never touches all of them at once. */
export class Peers {
  readonly #slices: readonly Set<SocketPeer>[]
  #next = 0
  #size = 0

  constructor(slices: number) {
    this.#slices = Array.from({ length: slices }, () => new Set<SocketPeer>())
  }

  get size(): number {
    return this.#size
  }

  get slices(): readonly ReadonlySet<SocketPeer>[] {
    return this.#slices
  }

  add(peer: SocketPeer): void {
    peer.slice = this.#next
    this.#next = (this.#next + 1) % this.#slices.length
    this.#slices[peer.slice]?.add(peer)
    this.#size += 1
  }

  remove(peer: SocketPeer): void {
    if (this.#slices[peer.slice]?.delete(peer)) this.#size -= 1
  }

  all(): SocketPeer[] {
    return this.#slices.flatMap((slice) => [...slice])
  }

  /** Cuts everybody who is left. */
  cut(): void {
    for (const peer of this.all()) peer.drop('going_away')
  }

  /** Resolves as soon as nobody is left, or at the deadline. */
  async empty(deadlineMs: number): Promise<void> {
    const end = performance.now() + deadlineMs
    while (this.#size > 0 && performance.now() < end) await sleep(POLL_MS)
  }
}
