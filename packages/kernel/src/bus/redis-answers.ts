import type { Log } from '../log/index.ts'
import type { NodeId } from './ports.ts'
import type { RedisEngine } from './redis-engine.ts'
import { formatAnswer, NO_ANSWERS } from './redis-frame.ts'
import { nodeChannelName } from './redis-keys.ts'

/**
 * The answers of this node on their way out. Those that one turn of the event loop has for one asking node leave
 * together: under load each publish would cost as much as the question did.
 */
export class Answers {
  readonly #engine: RedisEngine
  readonly #log: Log | undefined
  readonly #frames = new Map<NodeId, string>()

  constructor(engine: RedisEngine, log: Log | undefined) {
    this.#engine = engine
    this.#log = log
  }

  send(to: NodeId, id: string, reply: string): void {
    if (this.#frames.size === 0) setImmediate(() => this.#flush())
    this.#frames.set(to, (this.#frames.get(to) ?? NO_ANSWERS) + formatAnswer(id, reply))
  }

  #flush(): void {
    for (const [to, frame] of this.#frames) {
      // The deadlines of those who asked cover what is lost here.
      this.#engine
        .publish(nodeChannelName(to), frame)
        .catch(() => this.#log?.warn({ node: to }, 'bus replies lost'))
    }
    this.#frames.clear()
  }
}
