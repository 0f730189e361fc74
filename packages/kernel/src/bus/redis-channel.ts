import type { Log } from '../log/index.ts'
import { answerWithin } from './answer-within.ts'
import { Answering, checkTopic } from './answering.ts'
import { isNodeId } from './node-id.ts'
import type { NodeChannel, NodeId, SendOutcome } from './ports.ts'
import type { RedisEngine } from './redis-engine.ts'
import { formatAnswer, formatQuestion, parseFrame } from './redis-frame.ts'
import { leaseKey, nodeChannelName } from './redis-keys.ts'
import { unavailable } from './unavailable.ts'

export interface ChannelDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly maxOutstanding: number
  readonly log?: Log | undefined
  readonly isAlive: (node: NodeId) => Promise<boolean>
}

export interface RedisChannel extends NodeChannel {
  /** What arrived on this node's own channel. */
  receive(frame: string): void
  /** Nobody can answer any more. */
  close(): void
}

export function redisChannel({ engine, node, maxOutstanding, log, isAlive }: ChannelDeps): RedisChannel {
  const answering = new Answering(log)
  const outstanding = new Map<string, (reply: string | undefined) => void>()
  let sent = 0
  let closed = false

  const answer = async (id: string, from: NodeId, topic: string, message: string): Promise<void> => {
    const reply = await answering.answer(topic, message)
    if (reply === undefined || closed) return
    // The sender's deadline covers a reply that is lost here.
    await engine
      .publish(nodeChannelName(from), formatAnswer(id, reply))
      .catch(() => log?.warn({ topic }, 'bus reply lost'))
  }

  const ask = async (
    to: NodeId,
    topic: string,
    message: string,
    deadlineMs: number,
  ): Promise<SendOutcome> => {
    const id = (sent += 1).toString(36)
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const timer = setTimeout(() => resolve(undefined), deadlineMs)
    outstanding.set(id, resolve)
    try {
      const question = formatQuestion({ id, from: node, topic, message })
      const published = engine.run('send', leaseKey(to), nodeChannelName(to), question)
      const first = await Promise.race([published, promise.then(() => 'deadline')])
      if (first === 0) return { outcome: 'gone' }
      const reply = await promise
      if (reply !== undefined) return { outcome: 'answered', reply }
      if (closed) throw unavailable()
      // Redis has not even said whether the node has a lease.
      if (first === 'deadline') throw unavailable('Redis did not take the message in time')
      return { outcome: 'timeout' }
    } finally {
      clearTimeout(timer)
      outstanding.delete(id)
    }
  }

  return {
    node,
    async send(to, topic, message, deadlineMs) {
      checkTopic(topic)
      if (closed) throw unavailable()
      if (to === node) return answerWithin(answering, topic, message, deadlineMs)
      if (!isNodeId(to)) return { outcome: 'gone' }
      if (outstanding.size >= maxOutstanding) throw unavailable('too many messages wait for an answer')
      return ask(to, topic, message, deadlineMs)
    },
    handle: (topic, handler) => answering.handle(topic, handler),
    async isAlive(other) {
      if (closed) throw unavailable()
      return other === node || (isNodeId(other) && (await isAlive(other)))
    },
    receive(text) {
      const frame = parseFrame(text)
      if (frame?.kind === 'answer') outstanding.get(frame.id)?.(frame.reply)
      else if (frame?.kind === 'question') void answer(frame.id, frame.from, frame.topic, frame.message)
    },
    close() {
      closed = true
      for (const resolve of outstanding.values()) resolve(undefined)
    },
  }
}
