import type { Log } from '../log/index.ts'
import { Answering } from './answering.ts'
import type { DeliverOutcome, DeliveryHandler, NodeId } from './ports.ts'
import { readHolder, type Taking } from './redis-claim.ts'
import type { RedisEngine } from './redis-engine.ts'
import { DeliveryBatch } from './redis-delivery-batch.ts'
import { deliveriesHead, deliveryHead, deliveryTail } from './redis-frame.ts'
import { leaseKey, nodeChannelName } from './redis-keys.ts'
import type { Questions } from './redis-questions.ts'

export interface DeliveryDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly questions: Questions
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

export function redisDelivery({ engine, node, questions, log, onTaken }: DeliveryDeps): RedisDelivery {
  const deliveries = new Answering<readonly [epoch: string, message: string]>(log)

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
      return questions.ask(deadlineMs, (id) => {
        const head = deliveryHead(id, key)
        const tail = deliveryTail(message)
        const posted = engine.sharded
          ? postInTwoSteps(directory, key, taking, head, tail)
          : batchOf(directory).add(key, taking, head, tail)
        return posted.then((answer) => {
          if (typeof answer !== 'string') return verdictOf(answer)
          void receive(directory, key, answer, message).then((reply) => {
            if (reply !== undefined) questions.answered(id, reply)
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
