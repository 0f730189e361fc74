import {
  type BrowserMessage,
  type CloseCodeName,
  closeCodeName,
  WORKSPACE_SOCKET_PATH,
  type WorkspaceMessage,
  type WorkspaceRef,
} from '@patchbay/contracts'
import type { Link } from '../store/snapshot.ts'
import { backoffMs } from '../../server/backoff.ts'

export interface ConnectionOptions {
  readonly workspace: WorkspaceRef
  readonly browserId: string
  readonly random: () => number
  readonly isSharing: () => boolean
  readonly onMessage: (message: WorkspaceMessage) => void
  readonly onLink: (link: Link, ending?: CloseCodeName) => void
}

export interface Connection {
  /** Nothing without a connection: what must not be lost waits in the store. */
  send(message: BrowserMessage): void
  /** Says whether the page is looked at, and whether it is shared. */
  tellAttention(): void
  close(): void
}

/** Further tries would end the same way. */
const ENDINGS: ReadonlySet<CloseCodeName> = new Set([
  'session_ended',
  'workspace_gone',
  'workspace_not_permitted',
])
const OPENING_DEADLINE_MS = 10_000

/** The one connection of a workspace page, made anew whenever it is lost. */
export function connect(options: ConnectionOptions): Connection {
  const { workspace, browserId, random, isSharing, onMessage, onLink } = options
  let socket: WebSocket | undefined
  let isOpen = false
  let failures = 0
  let isClosed = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  const attention = () => ({
    isVisible: document.visibilityState === 'visible',
    isFocused: document.hasFocus(),
    isSharing: isSharing(),
  })

  function post(message: BrowserMessage): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  function begin(): void {
    clearTimeout(retry)
    retry = undefined
    const address = new URL(WORKSPACE_SOCKET_PATH, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const current = new WebSocket(address)
    socket = current
    // A proxy that accepts and says nothing would otherwise hold the page for ever.
    deadline = setTimeout(() => current.close(), OPENING_DEADLINE_MS)
    current.addEventListener('open', () => post({ type: 'open', ...workspace, browserId, ...attention() }))
    current.addEventListener('message', ({ data }) => {
      if (socket === current && typeof data === 'string') take(data)
    })
    current.addEventListener('close', ({ code }) => {
      if (socket === current) lose(closeCodeName(code))
    })
  }

  function take(data: string): void {
    const message = JSON.parse(data) as WorkspaceMessage
    if (message.type === 'opened') {
      clearTimeout(deadline)
      isOpen = true
      failures = 0
    }
    onMessage(message)
  }

  function lose(name: CloseCodeName | undefined): void {
    clearTimeout(deadline)
    socket = undefined
    isOpen = false
    if (isClosed) return
    if (name !== undefined && ENDINGS.has(name)) {
      close()
      onLink('ended', name)
      return
    }
    onLink('away')
    retry = setTimeout(begin, backoffMs(failures, random()))
    failures += 1
  }

  /** The network is back, or the person: waiting out a long pause would only annoy. */
  function hurry(): void {
    if (retry === undefined || isClosed) return
    failures = 0
    begin()
  }

  /** A socket whose network is gone says so after minutes only. One that still has a way is back after the first try. */
  function doubt(): void {
    const current = socket
    if (current === undefined || isClosed) return
    lose(undefined)
    current.close()
  }

  function tellAttention(): void {
    if (isOpen) post({ type: 'attention', ...attention() })
  }

  function look(): void {
    if (document.visibilityState === 'visible') hurry()
    tellAttention()
  }

  function close(): void {
    isClosed = true
    clearTimeout(retry)
    clearTimeout(deadline)
    removeEventListener('online', hurry)
    removeEventListener('offline', doubt)
    removeEventListener('focus', look)
    removeEventListener('blur', look)
    document.removeEventListener('visibilitychange', look)
    socket?.close()
  }

  addEventListener('online', hurry)
  addEventListener('offline', doubt)
  addEventListener('focus', look)
  addEventListener('blur', look)
  document.addEventListener('visibilitychange', look)
  begin()
  return { send: post, tellAttention, close }
}
