import { BatchQueue } from '@patchbay/primitives/async'
import type { Log } from '../../log/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { DeliverOutcome, DeliveryHandler, NodeId } from '../ports/bus.ts'
import { Handlers } from '../ports/handlers.ts'
import { busStep } from './bus-step.ts'
import type { RedisEngine } from './engine.ts'
import { deliveriesHead, deliveryHead, deliveryTail, tracedId } from './frames.ts'
import { leaseKey, nodeChannelName } from './keys.ts'
import type { PendingRequests } from './pending-requests.ts'
import { readHolder, type Taking } from './scripts.ts'

export interface DeliveryDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly requests: PendingRequests
  readonly log?: Log | undefined
  readonly tracing?: Tracing | undefined
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

interface Post {
  readonly key: string
  readonly taking: Taking
  readonly head: string
  readonly tail: string
}

/** A script holds everybody else up while it runs: this many take it well below a millisecond. */
const MOST_POSTS = 64
const MOST_CHARACTERS = 256 * 1024

export function redisDelivery({
  engine,
  node,
  requests,
  log,
  tracing,
  onTaken,
}: DeliveryDeps): RedisDelivery {
  const deliveries = new Handlers<readonly [epoch: string, message: string]>(log)

  const receive = (directory: string, key: string, epoch: string, message: string) => {
    onTaken(directory, key, epoch)
    return deliveries.answer(directory, epoch, message)
  }
  /**
   * The deliveries that one turn of the event loop makes go to Redis in one script, which publishes one message to each
   * node concerned: under load a command of its own would cost more than everything else about a delivery.
   */
  const batches = new BatchQueue<Post, unknown>({
    collect: 'per_turn',
    maxBatch: MOST_CHARACTERS,
    weigh: ({ tail }) => Math.max(tail.length, MOST_CHARACTERS / MOST_POSTS),
    async run(posts, directory) {
      const taking = posts.at(-1)?.taking ?? []
      const texts = posts.flatMap(({ head, tail }) => [head, tail])
      const answers = await engine.runOn(
        'deliver',
        posts.map(({ key }) => key),
        [...taking, node, deliveriesHead(node, directory), ...texts],
      )
      return answers as unknown[]
    },
  })
  /** In a cluster, key and holder are on different servers. */
  const postInTwoSteps = async (directory: string, { key, taking, head, tail }: Post): Promise<unknown> => {
    const answer = await engine.run('take', key, ...taking)
    const taken = readHolder(answer)
    if (taken === undefined) return answer
    if (taken.node === node) return taken.epoch
    const frame = deliveriesHead(node, directory) + head + taken.epoch + tail
    return engine.run('send', leaseKey(taken.node), nodeChannelName(taken.node), frame)
  }

  return {
    deliver(directory, key, taking, message, deadlineMs) {
      const send = () =>
        requests.send(deadlineMs, (id) => {
          const head = deliveryHead(tracedId(id, tracing?.current?.traceparent), key)
          const post = { key, taking, head, tail: deliveryTail(message) }
          const posted = engine.sharded ? postInTwoSteps(directory, post) : batches.add(post, directory)
          return posted.then((answer) => {
            if (typeof answer !== 'string') return verdictOf(answer)
            void receive(directory, key, answer, message).then((reply) => {
              if (reply !== undefined) requests.replied(id, reply)
            })
            return undefined
          })
        })
      return tracing === undefined ? send() : tracing.step(() => busStep('send', directory), send)
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
