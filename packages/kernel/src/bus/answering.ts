import type { Log } from '../log/index.ts'
import type { MessageHandler } from './ports.ts'

/** Handlers that run at the same time on one node; a message beyond them is dropped and its sender sees `timeout`. */
const MAX_RUNNING = 10_000

/** A topic is part of a message's header: a space in it would pass for the end of it. */
export function checkTopic(topic: string): void {
  if (!/^[\w.:-]{1,64}$/.test(topic)) throw new TypeError('a topic is 1 to 64 letters, digits, or _ . : -')
}

/** The receiving side of a node channel. */
export class Answering {
  readonly #handlers = new Map<string, MessageHandler>()
  readonly #log: Log | undefined
  #running = 0

  constructor(log?: Log) {
    this.#log = log
  }

  handle(topic: string, handler: MessageHandler): void {
    checkTopic(topic)
    if (this.#handlers.has(topic)) throw new TypeError(`topic ${topic} has a handler already`)
    this.#handlers.set(topic, handler)
  }

  /** `undefined`: nobody answers. */
  async answer(topic: string, message: string): Promise<string | undefined> {
    const handler = this.#handlers.get(topic)
    if (handler === undefined || this.#running >= MAX_RUNNING) {
      this.#log?.warn({ topic, running: this.#running }, 'bus message dropped')
      return undefined
    }
    this.#running += 1
    try {
      return await handler(message)
    } catch (error) {
      this.#log?.error({ err: error, topic }, 'bus handler failed')
      return undefined
    } finally {
      this.#running -= 1
    }
  }
}
