import type { GatewayMessage } from '@patchbay/contracts/gateway'
import { type ClientOptions, WebSocket } from 'ws'

/** A client as strangers write them: a socket, JSON, and no library of ours. */
export interface TestClient extends AsyncDisposable {
  readonly socket: WebSocket
  /** Everything that came, oldest first. */
  readonly received: readonly GatewayMessage[]
  send(message: unknown): void
  sendText(text: string): void
  /** Sends `register` and returns the answer that names the state. */
  register(state: string, more?: object): Promise<GatewayMessage>
  /** The next message nobody has asked for yet. */
  next(): Promise<GatewayMessage>
  /** The close event, also when it has happened already. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): Promise<void>
}

const PATIENCE_MS = 15_000

export async function connect(wsUrl: string, options: ClientOptions = {}): Promise<TestClient> {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false, ...options })
  const received: GatewayMessage[] = []
  const waiting: ((message: GatewayMessage) => void)[] = []
  let read = 0
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as GatewayMessage
    received.push(message)
    const reader = waiting.shift()
    if (reader !== undefined) {
      read += 1
      reader(message)
    }
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})

  const next = async () => {
    const ready = received[read]
    if (ready !== undefined) {
      read += 1
      return ready
    }
    const { promise, resolve, reject } = Promise.withResolvers<GatewayMessage>()
    waiting.push(resolve)
    const timer = setTimeout(() => reject(new Error(`no message came in ${PATIENCE_MS} ms`)), PATIENCE_MS)
    return await promise.finally(() => clearTimeout(timer))
  }
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  const close = async () => {
    socket.close(1000)
    await closed
  }
  return {
    socket,
    received,
    send,
    sendText: (text) => socket.send(text),
    async register(state, more = {}) {
      send({ type: 'register', state, provider: 'example', ...more })
      return await next()
    },
    next,
    closed,
    close,
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}
