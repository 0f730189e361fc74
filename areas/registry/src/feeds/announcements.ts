import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes those on this node who wait for the index, so that they need not ask the database over and over. */
export class Announcements {
  #next = Promise.withResolvers<void>()

  announce(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers<void>()
  }

  /** The next one, or the end of the time: another node may have been the one to change it. */
  async next(longestMs: number): Promise<void> {
    const isOver = new AbortController()
    const timeout = sleep(longestMs, undefined, { signal: isOver.signal }).catch(() => undefined)
    await Promise.race([this.#next.promise, timeout])
    isOver.abort()
  }
}
