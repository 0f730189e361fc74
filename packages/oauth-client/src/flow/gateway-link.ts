import { CLOSE_CODES } from '@patchbay/contracts/core'
import { WebSocket } from 'ws'

const LONGEST_WAIT_MS = 10_000

/**
 * Pings through the idle minutes in which the person reads a consent page: proxies cut silent connections after one.
 * A connection that was cut without a word looks open forever; a missing pong is the only sign.
 */
function watchPulse(socket: WebSocket, intervalMs: number): () => void {
  let deadline: NodeJS.Timeout | undefined
  const calm = () => {
    clearTimeout(deadline)
    deadline = undefined
  }
  const beat = setInterval(() => {
    if (deadline !== undefined) return
    socket.ping()
    deadline = setTimeout(() => socket.terminate(), Math.min(LONGEST_WAIT_MS, intervalMs))
  }, intervalMs)
  socket.on('pong', calm)
  return () => {
    clearInterval(beat)
    calm()
    socket.off('pong', calm)
  }
}

const FIRST_MS = 250
const LONGEST_MS = 5_000

/**
 * The person may be on the way back while the connection is gone, and the gateway waits only seconds for it: the first
 * attempt comes at once. Jitter, because a node that drains sends all its clients away in the same moment.
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  if (attempt === 0) return random * FIRST_MS
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return ceiling / 2 + (random * ceiling) / 2
}

/** A node that hangs answers nothing; the next attempt meets another. */
const HANDSHAKE_TIMEOUT_MS = 3_000
const GOODBYE_MS = 2_000
/** A callback holds what a browser's address bar can hold; anything larger is no gateway. */
const LARGEST_MESSAGE_BYTES = 64 * 1024

/** Why there is no connection (anymore). */
export interface Loss {
  /** The answer to the handshake was this status instead of a WebSocket. */
  readonly status?: number
  /** The other end broke the WebSocket protocol. */
  readonly isProtocolFault: boolean
  readonly cause?: Error
}

export interface LinkOptions {
  readonly url: string
  readonly pingIntervalMs: number
  /** A number from 0 to 1. */
  readonly random: () => number
  /** A connection is there: register on it. `attempt` counts connections from 0. */
  readonly onOpen: (attempt: number) => void
  readonly onText: (text: string) => void
  /** Called before the next attempt is planned; a `close` from here cancels it. */
  readonly onLoss: (loss: Loss) => void
}

/** One connection to the gateway, made again whenever it is lost, until it is closed. */
export class GatewayLink {
  readonly #options: LinkOptions
  #socket: WebSocket | undefined
  #retry: NodeJS.Timeout | undefined
  #connections = 0
  #failures = 0
  #isOver = false

  constructor(options: LinkOptions) {
    this.#options = options
    this.#connect()
  }

  send(text: string): void {
    // What cannot be sent now is said again on the next connection.
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text, () => undefined)
  }

  /** The gateway answered as hoped: the next loss is a new one, and is answered at once. */
  settle(): void {
    this.#failures = 0
  }

  /** Gives this connection up and tries another, after a while. */
  renew(): void {
    this.#drop()
    this.#plan()
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#retry)
    this.#drop()
  }

  #connect(): void {
    const socket = new WebSocket(this.#options.url, {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: LARGEST_MESSAGE_BYTES,
      followRedirects: false,
    })
    this.#socket = socket
    let status: number | undefined
    let cause: Error | undefined
    let stopPulse = () => {}
    socket.on('unexpected-response', (_request, response) => {
      status = response.statusCode
      socket.terminate()
    })
    socket.on('error', (error) => {
      cause ??= error
    })
    socket.on('open', () => {
      if (this.#socket !== socket) return
      stopPulse = watchPulse(socket, this.#options.pingIntervalMs)
      this.#options.onOpen(this.#connections)
      this.#connections += 1
    })
    socket.on('message', (data, isBinary) => {
      if (this.#socket === socket && !isBinary) this.#options.onText(textOf(data))
    })
    socket.on('close', () => {
      stopPulse()
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#options.onLoss({
        isProtocolFault: isProtocolFault(cause),
        ...(status === undefined ? {} : { status }),
        ...(cause === undefined ? {} : { cause }),
      })
      this.#plan()
    })
  }

  #plan(): void {
    if (this.#isOver) return
    const delayMs = reconnectDelayMs(this.#failures, this.#options.random())
    this.#failures += 1
    this.#retry = setTimeout(() => this.#connect(), delayMs)
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = undefined
    if (socket === undefined) return
    if (socket.readyState === WebSocket.CONNECTING) return socket.terminate()
    socket.close(CLOSE_CODES.normal.code)
    // A gateway that does not answer the goodbye would keep the process alive for half a minute.
    const impatience = setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
    socket.once('close', () => clearTimeout(impatience))
  }
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8')
}

/** `ws` marks what only a peer that is no gateway does. A connection that breaks has other codes. */
function isProtocolFault(cause: Error | undefined): boolean {
  return cause !== undefined && 'code' in cause && String(cause.code).startsWith('WS_ERR_')
}
