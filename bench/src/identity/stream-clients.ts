// Holds event streams open, one intent each.
import { serveParent } from '../gateway/worker.ts'
import type { IntentRange } from './intents.ts'
import { openStreams, type StreamSocket } from './stream-socket.ts'

export interface StreamOrder {
  readonly port: number
  readonly range: IntentRange
}

export type StreamClients = {
  open(order: StreamOrder): Promise<void>
  /** How many are still open. */
  count(order: null): Promise<number>
}

const streams: StreamSocket[] = []

const commands: StreamClients = {
  async open({ port, range }) {
    streams.push(...(await openStreams(port, range)))
  },
  async count() {
    return streams.filter(({ isOpen }) => isOpen).length
  },
}

serveParent(commands)
