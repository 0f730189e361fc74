import type { NodeChannel } from '@patchbay/kernel/bus'

export interface NodeWatchEvents {
  /** It has stopped to answer, or answers again. */
  readonly onChange: (node: string) => void
  /** Its lease has ended: it will never answer again. */
  readonly onGone: (node: string) => void
  /** This node itself stood still for so long that the others may have given it up; its lease is renewed by now. */
  readonly onBack: () => void
}

export interface NodeWatchOptions extends NodeWatchEvents {
  readonly channel: NodeChannel
  readonly everyMs: number
  readonly withinMs: number
}

interface Watched {
  holders: number
  misses: number
}

const TOPIC = 'panels.ping'
/** One may be an accident. */
const SILENT_AFTER = 2
const HELD_UP_MS = 150
/** Half of a lease. */
const STOOD_STILL_MS = 1_000
/** A lease is renewed every 500 ms. */
const RENEWED_AFTER_MS = 1_000

/**
 * Asks the nodes that matter to this one whether they are there. A lease tells of a killed node within 2 s, which leaves
 * nothing for doing something about it.
 */
export class NodeWatch {
  readonly #options: NodeWatchOptions
  readonly #watched = new Map<string, Watched>()
  readonly #timer: NodeJS.Timeout
  #tickedAt = performance.now()
  #backAt: number | undefined

  constructor(options: NodeWatchOptions) {
    this.#options = options
    options.channel.handle(TOPIC, () => '')
    this.#timer = setInterval(() => this.#tick(), options.everyMs).unref()
  }

  hold(node: string): void {
    const watched = this.#watched.get(node)
    if (watched === undefined) this.#watched.set(node, { holders: 1, misses: 0 })
    else watched.holders += 1
  }

  release(node: string): void {
    const watched = this.#watched.get(node)
    if (watched === undefined) return
    watched.holders -= 1
    if (watched.holders === 0) this.#watched.delete(node)
  }

  isSilent(node: string): boolean {
    return (this.#watched.get(node)?.misses ?? 0) >= SILENT_AFTER
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#noteStandstill(performance.now())
    for (const [node, watched] of this.#watched) void this.#ask(node, watched)
  }

  #noteStandstill(now: number): void {
    if (now - this.#tickedAt > STOOD_STILL_MS) this.#backAt = now + RENEWED_AFTER_MS
    this.#tickedAt = now
    if (this.#backAt === undefined || now < this.#backAt) return
    this.#backAt = undefined
    this.#options.onBack()
  }

  async #ask(node: string, watched: Watched): Promise<void> {
    const { channel, withinMs, onChange, onGone } = this.#options
    const askedAt = performance.now()
    try {
      const { outcome } = await channel.send(node, TOPIC, '', withinMs)
      // This node itself was held up: the answer lies unread.
      if (outcome === 'timeout' && performance.now() - askedAt > withinMs + HELD_UP_MS) return
      const wasSilent = watched.misses >= SILENT_AFTER
      if (outcome === 'answered') watched.misses = 0
      else watched.misses += outcome === 'gone' ? SILENT_AFTER : 1
      if (wasSilent !== watched.misses >= SILENT_AFTER) onChange(node)
      if (outcome === 'gone') onGone(node)
    } catch {
      // Without the bus nobody can be heard: that says nothing about any one of them.
    }
  }
}
