import type { NodeId } from '../ports/bus.ts'

/**
 * What passes between nodes: a first letter for the kind, a short header of words, and the text as it is, which is
 * neither escaped nor parsed. Deliveries and replies come several in one frame, so each has the length of its text before
 * it.
 */
const [REQUEST, DELIVERIES, REPLIES] = ['q', 'd', 'a']

export function formatRequest(id: string, from: NodeId, topic: string, message: string): string {
  return `${REQUEST} ${id} ${from} ${topic} ${message}`
}

/** What a frame of deliveries begins with. */
export function deliveriesHead(from: NodeId, directory: string): string {
  return `${DELIVERIES} ${from} ${directory} `
}

/** What a delivery has before its epoch, which only the engine knows, and what it has after. */
export function deliveryHead(id: string, key: string): string {
  return `${id} ${key} `
}

export function deliveryTail(message: string): string {
  return ` ${message.length} ${message}`
}

/**
 * The id of a request whose trace goes on where it is answered. Part of the id, because older nodes answer under the id that
 * they were given, whatever it is, and ignore frames of a shape that they do not know.
 */
export function tracedId(id: string, traceparent: string | undefined): string {
  return traceparent === undefined ? id : `${id}~${traceparent}`
}

export function readTracedId(given: string): { readonly id: string; readonly traceparent?: string } {
  const at = given.indexOf('~')
  return at < 0 ? { id: given } : { id: given.slice(0, at), traceparent: given.slice(at + 1) }
}

export const NO_REPLIES = `${REPLIES} `

export function formatReply(id: string, reply: string): string {
  return `${id} ${reply.length} ${reply}`
}

export interface FrameReader {
  onRequest(id: string, from: NodeId, topic: string, message: string): void
  onDelivery(id: string, from: NodeId, directory: string, key: string, epoch: string, message: string): void
  onReply(id: string, reply: string): void
}

/** Frames of another shape are ignored: a newer node may send them. */
export function readFrame(text: string, reader: FrameReader): void {
  if (text.startsWith(NO_REPLIES)) readReplies(text, reader)
  else if (text.startsWith(REQUEST)) readRequest(text, reader)
  else if (text.startsWith(DELIVERIES)) readDeliveries(text, reader)
}

function readRequest(text: string, reader: FrameReader): void {
  const afterId = text.indexOf(' ', 2)
  const afterFrom = text.indexOf(' ', afterId + 1)
  const afterTopic = text.indexOf(' ', afterFrom + 1)
  if (afterId < 2 || afterFrom < afterId || afterTopic < afterFrom) return
  reader.onRequest(
    text.slice(2, afterId),
    text.slice(afterId + 1, afterFrom),
    text.slice(afterFrom + 1, afterTopic),
    text.slice(afterTopic + 1),
  )
}

function readDeliveries(text: string, reader: FrameReader): void {
  const afterFrom = text.indexOf(' ', 2)
  const afterDirectory = text.indexOf(' ', afterFrom + 1)
  if (afterFrom < 2 || afterDirectory < afterFrom) return
  const from = text.slice(2, afterFrom)
  const directory = text.slice(afterFrom + 1, afterDirectory)
  let start = afterDirectory + 1
  while (start < text.length) {
    const afterId = text.indexOf(' ', start)
    const afterKey = text.indexOf(' ', afterId + 1)
    const afterEpoch = text.indexOf(' ', afterKey + 1)
    const afterLength = text.indexOf(' ', afterEpoch + 1)
    const end = afterLength + 1 + Number(text.slice(afterEpoch + 1, afterLength))
    if (afterId < start || afterKey < afterId || afterEpoch < afterKey) return
    if (afterLength < afterEpoch || !(end <= text.length)) return
    reader.onDelivery(
      text.slice(start, afterId),
      from,
      directory,
      text.slice(afterId + 1, afterKey),
      text.slice(afterKey + 1, afterEpoch),
      text.slice(afterLength + 1, end),
    )
    start = end
  }
}

function readReplies(text: string, reader: FrameReader): void {
  let start = NO_REPLIES.length
  while (start < text.length) {
    const afterId = text.indexOf(' ', start)
    const afterLength = text.indexOf(' ', afterId + 1)
    const end = afterLength + 1 + Number(text.slice(afterId + 1, afterLength))
    if (afterId < start || afterLength < afterId || !(end <= text.length)) return
    reader.onReply(text.slice(start, afterId), text.slice(afterLength + 1, end))
    start = end
  }
}
