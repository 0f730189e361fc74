import { answerWithin } from './answer-within.ts'
import { checkTopic } from './answering.ts'
import type { HubState, NodeState } from './in-process-state.ts'
import type { NodeChannel } from './ports.ts'

export function inProcessChannel(hub: HubState, node: NodeState): NodeChannel {
  return {
    node: node.id,
    async send(to, topic, message, deadlineMs) {
      checkTopic(topic)
      node.requireAlive()
      const receiver = hub.nodes.get(to)
      if (receiver === undefined) return { outcome: 'gone' }
      return answerWithin(receiver.answering.answer(topic, message), deadlineMs)
    },
    handle: (topic, handler) => node.answering.handle(topic, handler),
    async isAlive(other) {
      node.requireAlive()
      return hub.nodes.has(other)
    },
  }
}
