import type { Log } from '../../log/index.ts'
import type { DeliverOutcome, DeliveryHandler, NodeId } from '../ports/bus.ts'
import { Handlers } from '../ports/handlers.ts'
import type { RedisEngine } from './engine.ts'
import { deliveriesHead, deliveryHead, deliveryTail } from './frames.ts'
import { leaseKey, nodeChannelName } from './keys.ts'
import type { PendingRequests } from './pending-requests.ts'
import { readHolder, type Taking } from './scripts.ts'

export interface DeliveryDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly requests: PendingRequests
  readonly log?: Log | undefined
  /** A claim of this node was taken. */
  readonly onTaken: (directory: string, key: string, epoch: string) => void
}

export interface RedisDelivery {
  deliver(
    directory: string,
    key: string,
    taking: Taking,
    message: string,
    deadlineMs: number,
  ): Promise<DeliverOutcome>
  handle(directory: string, handler: DeliveryHandler): void
  /** Hands a message to the handler of this node. `undefined`: nobody answers. */
  receive(directory: string, key: string, epoch: string, message: string): Promise<string | undefined>
}

export function redisDelivery({ engine, node, requests, log, onTaken }: DeliveryDeps): RedisDelivery {
  const deliveries = new Handlers<readonly [epoch: string, message: string]>(log)

  const receive = (directory: string, key: string, epoch: string, message: string) => {
    onTaken(directory, key, epoch)
    return deliveries.answer(directory, epoch, message)
  }
  const batches = new Map<string, DeliveryBatch>()
  const batchOf = (directory: string): DeliveryBatch => {
    let batch = batches.get(directory)
    if (batch === undefined) {
      batch = new DeliveryBatch(engine, node, directory)
      batches.set(directory, batch)
    }
    return batch
  }
  /** In a cluster, key and holder are on different servers. */
  const postInTwoSteps = async (
    directory: string,
    key: string,
    taking: Taking,
    head: string,
    tail: string,
  ): Promise<unknown> => {
    const answer = await engine.run('take', key, ...taking)
    const taken = readHolder(answer)
    if (taken === undefined) return answer
    if (taken.node === node) return taken.epoch
    const frame = deliveriesHead(node, directory) + head + taken.epoch + tail
    return engine.run('send', leaseKey(taken.node), nodeChannelName(taken.node), frame)
  }

  return {
    deliver(directory, key, taking, message, deadlineMs) {
      return requests.send(deadlineMs, (id) => {
        const head = deliveryHead(id, key)
        const tail = deliveryTail(message)
        const posted = engine.sharded
          ? postInTwoSteps(directory, key, taking, head, tail)
          : batchOf(directory).add(key, taking, head, tail)
        return posted.then((answer) => {
          if (typeof answer !== 'string') return verdictOf(answer)
          void receive(directory, key, answer, message).then((reply) => {
            if (reply !== undefined) requests.replied(id, reply)
          })
          return undefined
        })
      })
    },
    handle: (directory, handler) => deliveries.handle(directory, handler),
    receive,
  }
}

/** As the scripts `take`, `send` and `deliver` put it. `undefined`: on its way. */
function verdictOf(posted: unknown): DeliverOutcome | undefined {
  if (posted === 1) return undefined
  if (posted === 0) return { outcome: 'gone' }
  return { outcome: posted === 2 ? 'suspended' : 'absent' }
}

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
class DeliveryBatch {
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
