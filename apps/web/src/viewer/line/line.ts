import {
  VIEWER_SOCKET_PATH,
  type ViewerMessage,
  type ViewerPageMessage,
  type WidgetName,
} from '@patchbay/contracts'
import { backoffMs } from '../../server/backoff.ts'

export type Link = 'opening' | 'open' | 'away'

export interface LineOptions {
  readonly pageId: string
  /** Asked at each connection: the page may show the widget by then. */
  readonly showing: () => WidgetName | null
  /** From 0 up to 1. */
  readonly random: () => number
  readonly onMessage: (message: ViewerMessage) => void
  readonly onLink: (link: Link) => void
}

export interface Line {
  /** Nothing without a connection. */
  send(message: ViewerPageMessage): void
  close(): void
}

const OPENING_DEADLINE_MS = 10_000

/** The one connection of a page to its viewer, made anew whenever it is lost. */
export function openLine({ pageId, showing, random, onMessage, onLink }: LineOptions): Line {
  const stop = new AbortController()
  let socket: WebSocket | undefined
  let isOpen = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  const attention = () => ({
    isVisible: document.visibilityState === 'visible',
    isFocused: document.hasFocus(),
  })

  function post(message: ViewerPageMessage): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  function begin(): void {
    clearTimeout(retry)
    retry = undefined
    const address = new URL(VIEWER_SOCKET_PATH, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const current = new WebSocket(address)
    socket = current
    // Something that accepts and says nothing would otherwise hold the page for ever.
    deadline = setTimeout(() => current.close(), OPENING_DEADLINE_MS)
    current.addEventListener('open', () => post({ type: 'open', pageId, showing: showing(), ...attention() }))
    current.addEventListener('message', ({ data }) => {
      if (socket === current && typeof data === 'string') take(data)
    })
    current.addEventListener('close', () => {
      if (socket === current) lose()
    })
  }

  function take(data: string): void {
    if (!isOpen) {
      clearTimeout(deadline)
      isOpen = true
      failures = 0
      onLink('open')
    }
    onMessage(JSON.parse(data) as ViewerMessage)
  }

  function lose(): void {
    clearTimeout(deadline)
    socket = undefined
    isOpen = false
    if (stop.signal.aborted) return
    onLink('away')
    retry = setTimeout(begin, backoffMs(failures, random()))
    failures += 1
  }

  /** The network is back, or the person: waiting out a long pause would only annoy. */
  function hurry(): void {
    if (retry === undefined) return
    failures = 0
    begin()
  }

  function look(): void {
    if (document.visibilityState === 'visible') hurry()
    if (isOpen) post({ type: 'attention', ...attention() })
  }

  const { signal } = stop
  addEventListener('online', hurry, { signal })
  addEventListener('focus', look, { signal })
  addEventListener('blur', look, { signal })
  document.addEventListener('visibilitychange', look, { signal })
  begin()
  return {
    send: post,
    close() {
      stop.abort()
      clearTimeout(retry)
      clearTimeout(deadline)
      socket?.close()
    },
  }
}
