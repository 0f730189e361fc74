import { WebSocket } from 'ws'

export interface RosbridgeOptions {
  readonly url: string
  /** What is read and written, told again after each connection. */
  readonly reads: readonly { readonly topic: string; readonly type: string }[]
  readonly writes: readonly { readonly topic: string; readonly type: string }[]
  readonly onMessage: (topic: string, message: unknown) => void
  readonly onChange: (isUp: boolean) => void
}

export interface Rosbridge {
  readonly isUp: boolean
  /** Answers whether it was sent. */
  publish(topic: string, message: unknown): boolean
  close(): void
}

/** Messages of one topic a second, at most: what no page shows need not leave the robot. */
const EVERY_MS = 50
const LARGEST_MESSAGE = 1_048_576
const LARGEST_BACKLOG = 65_536
const RETRY_MS = 2_000
const HEARTBEAT_MS = 5_000

/** The four operations of the rosbridge protocol (2.0) that a bridge needs, as JSON over a WebSocket. */
export function openRosbridge({ url, reads, writes, onMessage, onChange }: RosbridgeOptions): Rosbridge {
  let socket: WebSocket | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const say = (operation: object) => socket?.send(JSON.stringify(operation))
  const isUp = () => socket?.readyState === WebSocket.OPEN

  function open(): void {
    const opened = new WebSocket(url, {
      maxPayload: LARGEST_MESSAGE,
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    })
    socket = opened
    let isAlive = true
    const heartbeat = setInterval(() => {
      // A robot that drove out of the wireless network closes nothing.
      if (!isAlive) return opened.terminate()
      isAlive = false
      if (opened.readyState === WebSocket.OPEN) opened.ping()
    }, HEARTBEAT_MS)
    opened.on('pong', () => {
      isAlive = true
    })
    opened.on('open', () => {
      isAlive = true
      for (const { topic, type } of writes) say({ op: 'advertise', topic, type })
      for (const { topic, type } of reads)
        say({ op: 'subscribe', topic, type, throttle_rate: EVERY_MS, queue_length: 1 })
      onChange(true)
    })
    opened.on('message', (bytes) => read((bytes as Buffer).toString()))
    opened.on('error', () => undefined)
    opened.on('close', () => {
      clearInterval(heartbeat)
      onChange(false)
      if (!isClosed) retry = setTimeout(open, RETRY_MS)
    })
  }

  function read(text: string): void {
    let said: { op?: unknown; topic?: unknown; msg?: unknown }
    try {
      said = JSON.parse(text) as typeof said
    } catch {
      return
    }
    if (said?.op === 'publish' && typeof said.topic === 'string') onMessage(said.topic, said.msg)
  }

  open()
  return {
    get isUp() {
      return isUp()
    },
    publish(topic, msg) {
      // A command that waits would be carried out when nobody expects it anymore.
      if (!isUp() || (socket?.bufferedAmount ?? 0) > LARGEST_BACKLOG) return false
      say({ op: 'publish', topic, msg })
      return true
    },
    close() {
      isClosed = true
      clearTimeout(retry)
      socket?.terminate()
    },
  }
}
