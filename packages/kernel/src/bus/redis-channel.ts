import type { Log } from '../log/index.ts'
import { answerWithin } from './answer-within.ts'
import { Answering, checkTopic } from './answering.ts'
import { isNodeId } from './node-id.ts'
import type { NodeChannel, NodeId, SendOutcome } from './ports.ts'
import { Answers } from './redis-answers.ts'
import type { RedisDelivery } from './redis-delivery.ts'
import type { RedisEngine } from './redis-engine.ts'
import { type FrameReader, formatQuestion, readFrame } from './redis-frame.ts'
import { leaseKey, nodeChannelName } from './redis-keys.ts'
import type { Questions } from './redis-questions.ts'

export interface ChannelDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly questions: Questions
  readonly delivery: Pick<RedisDelivery, 'receive'>
  readonly log?: Log | undefined
  readonly isAlive: (node: NodeId) => Promise<boolean>
}

export interface RedisChannel extends NodeChannel {
  /** What arrived on this node's own channel. */
  receive(frame: string): void
  close(): void
}

export function redisChannel(deps: ChannelDeps): RedisChannel {
  const { engine, node, questions, delivery, log, isAlive } = deps
  const answering = new Answering(log)
  const answers = new Answers(engine, log)
  let closed = false

  const answerTo = (from: NodeId, id: string, answer: Promise<string | undefined>) =>
    answer.then((reply) => {
      if (reply !== undefined && !closed) answers.send(from, id, reply)
    })
  const reader: FrameReader = {
    onQuestion: (id, from, topic, message) => void answerTo(from, id, answering.answer(topic, message)),
    onDelivery: (id, from, directory, key, epoch, message) =>
      void answerTo(from, id, delivery.receive(directory, key, epoch, message)),
    onAnswer: (id, reply) => questions.answered(id, reply),
  }

  return {
    node,
    async send(to, topic, message, deadlineMs): Promise<SendOutcome> {
      checkTopic(topic)
      questions.requireOpen()
      if (to === node) return answerWithin(answering.answer(topic, message), deadlineMs)
      if (!isNodeId(to)) return { outcome: 'gone' }
      return questions.ask(deadlineMs, async (id): Promise<SendOutcome | undefined> => {
        const question = formatQuestion(id, node, topic, message)
        const sent = await engine.run('send', leaseKey(to), nodeChannelName(to), question)
        return sent === 0 ? { outcome: 'gone' } : undefined
      })
    },
    handle: (topic, handler) => answering.handle(topic, handler),
    async isAlive(other) {
      questions.requireOpen()
      return other === node || (isNodeId(other) && (await isAlive(other)))
    },
    receive: (frame) => readFrame(frame, reader),
    close() {
      closed = true
      questions.close()
    },
  }
}
