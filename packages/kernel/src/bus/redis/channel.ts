import type { Log } from '../../log/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { NodeChannel, NodeId, SendOutcome } from '../ports/bus.ts'
import { answerWithin, Handlers } from '../ports/handlers.ts'
import { checkTopic, isNodeId } from '../ports/names.ts'
import { busStep } from './bus-step.ts'
import type { RedisDelivery } from './delivery.ts'
import type { RedisEngine } from './engine.ts'
import {
  type FrameReader,
  formatReply,
  formatRequest,
  NO_REPLIES,
  readFrame,
  readTracedId,
  tracedId,
} from './frames.ts'
import { leaseKey, nodeChannelName } from './keys.ts'
import type { PendingRequests } from './pending-requests.ts'

export interface ChannelDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly requests: PendingRequests
  readonly delivery: Pick<RedisDelivery, 'receive'>
  readonly log?: Log | undefined
  readonly tracing?: Tracing | undefined
}

export interface RedisChannel extends NodeChannel {
  /** What arrived on this node's own channel. */
  receive(frame: string): void
  close(): void
}

export function redisChannel(deps: ChannelDeps): RedisChannel {
  const { engine, node, requests, delivery, log, tracing } = deps
  const handlers = new Handlers(log)
  const replies = new Replies(engine, log)
  let closed = false

  const answerTo = (from: NodeId, id: string, answer: Promise<string | undefined>) =>
    answer.then((reply) => {
      if (reply !== undefined && !closed) replies.send(from, id, reply)
    })
  const reader: FrameReader = {
    onRequest: (id, from, topic, message) =>
      void answerTo(
        from,
        id,
        goOn(id, topic, () => handlers.answer(topic, message)),
      ),
    onDelivery: (id, from, directory, key, epoch, message) =>
      void answerTo(
        from,
        id,
        goOn(id, directory, () => delivery.receive(directory, key, epoch, message)),
      ),
    onReply: (id, reply) => requests.replied(readTracedId(id).id, reply),
  }
  const goOn = <Result>(id: string, topic: string, work: () => Promise<Result>): Promise<Result> =>
    tracing === undefined
      ? work()
      : tracing.resume(readTracedId(id).traceparent, () => busStep('handle', topic), work)

  return {
    node,
    async send(to, topic, message, deadlineMs): Promise<SendOutcome> {
      checkTopic(topic)
      requests.requireOpen()
      if (to === node) return answerWithin(handlers.answer(topic, message), deadlineMs)
      if (!isNodeId(to)) return { outcome: 'gone' }
      const post = () =>
        requests.send(deadlineMs, async (id): Promise<SendOutcome | undefined> => {
          const traced = tracedId(id, tracing?.current?.traceparent)
          const request = formatRequest(traced, node, topic, message)
          const sent = await engine.run('send', leaseKey(to), nodeChannelName(to), request)
          return sent === 0 ? { outcome: 'gone' } : undefined
        })
      return tracing === undefined ? post() : tracing.step(() => busStep('send', topic), post)
    },
    handle: (topic, handler) => handlers.handle(topic, handler),
    receive: (frame) => readFrame(frame, reader),
    close() {
      closed = true
      requests.close()
    },
  }
}

/**
 * The replies of this node on their way out. Those that one turn of the event loop has for one asking node leave
 * together: under load each publish would cost as much as the request did.
 */
class Replies {
  readonly #engine: RedisEngine
  readonly #log: Log | undefined
  readonly #frames = new Map<NodeId, string>()

  constructor(engine: RedisEngine, log: Log | undefined) {
    this.#engine = engine
    this.#log = log
  }

  send(to: NodeId, id: string, reply: string): void {
    if (this.#frames.size === 0) setImmediate(() => this.#flush())
    this.#frames.set(to, (this.#frames.get(to) ?? NO_REPLIES) + formatReply(id, reply))
  }

  #flush(): void {
    for (const [to, frame] of this.#frames) {
      // The deadlines of those who asked cover what is lost here.
      this.#engine
        .publish(nodeChannelName(to), frame)
        .catch(() => this.#log?.warn({ node: to }, 'failed to send bus replies'))
    }
    this.#frames.clear()
  }
}
