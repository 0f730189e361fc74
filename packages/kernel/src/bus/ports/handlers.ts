import type { Log } from '../../log/index.ts'
import type { SendOutcome } from './bus.ts'
import { checkTopic } from './names.ts'

/** Handlers that run at the same time on one node; a message beyond them is dropped and its sender sees `timeout`. */
const MAX_RUNNING = 10_000

type Handler<Args extends readonly unknown[]> = (...args: Args) => Promise<string> | string

/** The receiving side: of a node channel by topic, or of deliveries by directory. */
export class Handlers<Args extends readonly unknown[] = readonly [message: string]> {
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

/** A message that does not leave the process. Silence takes as long as it does over the wire: until the deadline. */
export function answerWithin(answer: Promise<string | undefined>, deadlineMs: number): Promise<SendOutcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ outcome: 'timeout' }), deadlineMs)
    answer.then((reply) => {
      if (reply === undefined) return
      clearTimeout(timer)
      resolve({ outcome: 'answered', reply })
    }, reject)
  })
}
