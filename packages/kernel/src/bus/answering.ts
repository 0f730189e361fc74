import type { Log } from '../log/index.ts'

/** Handlers that run at the same time on one node; a message beyond them is dropped and its sender sees `timeout`. */
const MAX_RUNNING = 10_000

/** A topic is part of a message's header: a space in it would pass for the end of it. */
export function checkTopic(topic: string): void {
  if (!/^[\w.:-]{1,64}$/.test(topic)) throw new TypeError('a topic is 1 to 64 letters, digits, or _ . : -')
}

type Handler<Args extends readonly unknown[]> = (...args: Args) => Promise<string> | string

/** The receiving side: of a node channel by topic, or of deliveries by directory. */
export class Answering<Args extends readonly unknown[] = readonly [message: string]> {
  readonly #handlers = new Map<string, Handler<Args>>()
  readonly #log: Log | undefined
  #running = 0

  constructor(log?: Log) {
    this.#log = log
  }

  handle(topic: string, handler: Handler<Args>): void {
    checkTopic(topic)
    if (this.#handlers.has(topic)) throw new TypeError(`${topic} has a handler already`)
    this.#handlers.set(topic, handler)
  }

  /** `undefined`: nobody answers. */
  async answer(topic: string, ...args: Args): Promise<string | undefined> {
    const handler = this.#handlers.get(topic)
    if (handler === undefined || this.#running >= MAX_RUNNING) {
      this.#log?.warn({ topic, running: this.#running }, 'bus message dropped')
      return undefined
    }
    this.#running += 1
    try {
      return await handler(...args)
    } catch (error) {
      this.#log?.error({ err: error, topic }, 'bus handler failed')
      return undefined
    } finally {
      this.#running -= 1
    }
  }
}
