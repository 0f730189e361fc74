// Pages that have workspaces open, as far as the server can tell: they hold the socket and answer its commands.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserMessage, WORKSPACE_SOCKET_PATH, type WorkspaceMessage } from '@patchbay/contracts/panels'
import { WebSocket } from 'ws'
import { serveParent } from '../processes.ts'
import type { Place } from './places.ts'

export interface OpenOrder {
  readonly port: number
  /** The page of a prototype sends back what it gets. */
  readonly isBare: boolean
  readonly places: readonly Place[]
}

export interface PageCounts {
  readonly open: number
  /** Commands that were carried out, each id once. */
  readonly done: number
  readonly repeated: number
}

export type PageClients = {
  open(order: OpenOrder): Promise<void>
  counts(): Promise<PageCounts>
}

const TOGETHER = 50
const PATIENCE_MS = 30_000
const pages = new Set<WebSocket>()
const seen = new Set<string>()
let done = 0
let repeated = 0

function answer(socket: WebSocket, text: string): void {
  const message = JSON.parse(text) as WorkspaceMessage
  if (message.type !== 'command') return
  const { id } = message
  if (seen.has(id)) repeated += 1
  seen.add(id)
  done += 1
  send(socket, { type: 'taken', id })
  send(socket, { type: 'done', id })
}

function send(socket: WebSocket, message: BrowserMessage): void {
  socket.send(JSON.stringify(message))
}

async function openPage(order: OpenOrder, place: Place): Promise<void> {
  const { port, isBare } = order
  const address = `ws://127.0.0.1:${port}${isBare ? '/' : WORKSPACE_SOCKET_PATH}`
  const socket = new WebSocket(address, {
    perMessageDeflate: false,
    ...(isBare ? {} : { headers: { cookie: place.cookie, origin: place.origin } }),
  })
  const opened = Promise.withResolvers<void>()
  socket.once('error', (error) => opened.reject(error))
  socket.once('close', (code) => {
    pages.delete(socket)
    opened.reject(new Error(`closed with ${code}`))
  })
  socket.once('open', () => {
    if (isBare) return opened.resolve()
    const { owner, repo } = place
    const attention = { isVisible: true, isFocused: true, isSharing: false }
    send(socket, { type: 'open', owner, repo, browserId: randomUUID(), ...attention })
  })
  socket.on('message', (data: Buffer) => {
    if (isBare) {
      done += 1
      return socket.send(data.toString())
    }
    const text = data.toString()
    if (text.startsWith('{"type":"opened"')) opened.resolve()
    answer(socket, text)
  })
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not open within ${PATIENCE_MS} ms`)
  })
  await Promise.race([opened.promise, late])
  pages.add(socket)
}

const commands: PageClients = {
  async open(order) {
    for (let from = 0; from < order.places.length; from += TOGETHER)
      await Promise.all(order.places.slice(from, from + TOGETHER).map((place) => openPage(order, place)))
  },
  async counts() {
    return { open: pages.size, done, repeated }
  },
}

serveParent(commands)
