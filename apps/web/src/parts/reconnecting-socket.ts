import { type CloseCodeName, closeCodeName } from '@patchbay/contracts/core'
import { backoffMs } from '../server/backoff.ts'

export interface ReconnectingSocketOptions<Incoming, Outgoing> {
  readonly path: string
  /** From 0 up to 1. */
  readonly random: () => number
  /** The first message on every connection. */
  readonly hello: () => Outgoing
  /** Sent whenever the page is looked at, or no longer. */
  readonly attention: () => Outgoing
  /** Whether the server has taken this page in with it. Until then the connection has a deadline. */
  readonly isWelcome: (message: Incoming) => boolean
  readonly onOpen?: () => void
  readonly onMessage: (message: Incoming) => void
  /** With the name of a final code it does not come back. */
  readonly onLost: (ending?: CloseCodeName) => void
  /** Codes after which further tries would end the same way. */
  readonly finalCodes?: ReadonlySet<CloseCodeName>
  /** A server on this machine is reached without a network. */
  readonly isLocal?: boolean
}

export interface ReconnectingSocket<Outgoing> {
  /** Nothing without a connection: what must not be lost, the caller keeps. */
  send(message: Outgoing): void
  tellAttention(): void
  close(): void
}

const OPENING_DEADLINE_MS = 10_000

/** One WebSocket of a page to its own origin, made anew whenever it is lost. */
export function openReconnectingSocket<Incoming, Outgoing>(
  options: ReconnectingSocketOptions<Incoming, Outgoing>,
): ReconnectingSocket<Outgoing> {
  const { path, random, hello, attention, isWelcome, onOpen, onMessage, onLost, finalCodes, isLocal } =
    options
  const stop = new AbortController()
  let socket: WebSocket | undefined
  let isOpen = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  function send(message: Outgoing): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  function connect(): void {
    clearTimeout(retry)
    retry = undefined
    const address = new URL(path, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const current = new WebSocket(address)
    socket = current
    // A proxy that accepts and says nothing would otherwise hold the page forever.
    deadline = setTimeout(() => current.close(), OPENING_DEADLINE_MS)
    current.addEventListener('open', () => send(hello()))
    current.addEventListener('message', ({ data }) => {
      if (socket === current && typeof data === 'string') receive(JSON.parse(data) as Incoming)
    })
    current.addEventListener('close', ({ code }) => {
      if (socket === current) lose(closeCodeName(code))
    })
  }

  function receive(message: Incoming): void {
    if (!isOpen && isWelcome(message)) {
      clearTimeout(deadline)
      isOpen = true
      failures = 0
      onOpen?.()
    }
    onMessage(message)
  }

  function lose(name?: CloseCodeName): void {
    clearTimeout(deadline)
    socket = undefined
    isOpen = false
    if (stop.signal.aborted) return
    if (name !== undefined && finalCodes?.has(name) === true) {
      close()
      onLost(name)
      return
    }
    onLost()
    retry = setTimeout(connect, backoffMs(failures, random()))
    failures += 1
  }

  /** The network is back, or the person: waiting out a long pause would only annoy. */
  function hurry(): void {
    if (retry === undefined) return
    failures = 0
    connect()
  }

  /** A socket whose network is gone says so after minutes only. One that still has a way is back after the first try. */
  function doubt(): void {
    const current = socket
    if (current === undefined) return
    lose()
    current.close()
  }

  function tellAttention(): void {
    if (isOpen) send(attention())
  }

  function look(): void {
    if (document.visibilityState === 'visible') hurry()
    tellAttention()
  }

  function close(): void {
    stop.abort()
    clearTimeout(retry)
    clearTimeout(deadline)
    socket?.close()
  }

  const { signal } = stop
  addEventListener('online', hurry, { signal })
  if (isLocal !== true) addEventListener('offline', doubt, { signal })
  addEventListener('focus', look, { signal })
  addEventListener('blur', look, { signal })
  document.addEventListener('visibilitychange', look, { signal })
  connect()
  return { send, tellAttention, close }
}
