import type { NodeId } from './ports.ts'
import type { Taking } from './redis-claim.ts'
import type { RedisEngine } from './redis-engine.ts'
import { deliveriesHead } from './redis-frame.ts'

interface Entry {
  readonly key: string
  readonly head: string
  readonly tail: string
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A script holds everybody else up while it runs: this many take it well below a millisecond. */
const MOST_ENTRIES = 64
const MOST_CHARACTERS = 256 * 1024

/**
 * The deliveries that one turn of the event loop makes go to Redis in one script, which publishes one message to each
 * node concerned: under load a command of its own would cost more than everything else about a delivery.
 */
export class DeliveryBatch {
  readonly #engine: RedisEngine
  readonly #node: NodeId
  readonly #directory: string
  #taking: Taking = [0, '', 0]
  #entries: Entry[] = []
  #characters = 0

  constructor(engine: RedisEngine, node: NodeId, directory: string) {
    this.#engine = engine
    this.#node = node
    this.#directory = directory
  }

  /** Answered as the script `deliver` has it for this key. */
  add(key: string, taking: Taking, head: string, tail: string): Promise<unknown> {
    if (this.#entries.length === 0) setImmediate(() => this.#flush())
    this.#taking = taking
    this.#characters += tail.length
    return new Promise((resolve, reject) => {
      this.#entries.push({ key, head, tail, resolve, reject })
      if (this.#entries.length >= MOST_ENTRIES || this.#characters >= MOST_CHARACTERS) this.#flush()
    })
  }

  #flush(): void {
    const entries = this.#entries
    // Sent already, because it was full.
    if (entries.length === 0) return
    this.#entries = []
    this.#characters = 0
    const args: (string | number)[] = [
      ...this.#taking,
      this.#node,
      deliveriesHead(this.#node, this.#directory),
    ]
    for (const { head, tail } of entries) args.push(head, tail)
    const keys = entries.map(({ key }) => key)
    this.#engine.runOn('deliver', keys, args).then(
      (answers) => {
        for (const [index, { resolve }] of entries.entries()) resolve((answers as unknown[])[index])
      },
      (error) => {
        for (const { reject } of entries) reject(error)
      },
    )
  }
}
