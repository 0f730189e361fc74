import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { VIEWER_SOCKET_PATH, type ViewerMessage } from '@patchbay/contracts/viewer'
import { createLog } from '@patchbay/kernel/log'
import { attachWebSockets } from '@patchbay/kernel/websocket'
import { waitUntil } from '@patchbay/testkit/processes'
import { WebSocket } from 'ws'
import { ViewerPages } from '../../src/pages/pages.socket.ts'

/** A viewer page as the server sees one: a socket that says what a page says. */
export interface TestPage extends AsyncDisposable {
  readonly pageId: string
  readonly received: readonly ViewerMessage[]
  send(message: unknown): void
  /** Whether it has been told that agents open widgets in it. */
  isActive(): boolean | undefined
  /** The latest order to show something, once there is one more than `after`. */
  shows(after?: number): Promise<Extract<ViewerMessage, { type: 'show' }>>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  leave(): Promise<void>
}

export interface Opening {
  readonly pageId?: string
  readonly isVisible?: boolean
  readonly isFocused?: boolean
  readonly showing?: 'screenshot-paste' | null
}

const PATIENT = { deadlineMs: 20_000, intervalMs: 5 }

export async function connectPage(url: string): Promise<TestPage> {
  const socket = new WebSocket(url.replace('http:', 'ws:') + VIEWER_SOCKET_PATH)
  const received: ViewerMessage[] = []
  socket.on('message', (data: Buffer) => void received.push(JSON.parse(data.toString()) as ViewerMessage))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  const shown = () => received.filter((message) => message.type === 'show')
  return {
    pageId: randomUUID(),
    received,
    send: (message) => socket.send(JSON.stringify(message)),
    isActive: () => received.findLast((message) => message.type === 'active')?.isActive,
    async shows(after = 0) {
      await waitUntil('the page is asked to show something', () => shown().length > after, PATIENT)
      const last = shown().at(-1)
      if (last === undefined) throw new Error('it was asked nothing')
      return last
    },
    closed,
    async leave() {
      socket.close(1000)
      await closed
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}

/** A page that has said which one it is, and that the viewer knows of. */
export async function openPage(url: string, opening: Opening = {}): Promise<TestPage> {
  const page = await connectPage(url)
  const pageId = opening.pageId ?? page.pageId
  page.send({ type: 'open', showing: null, isVisible: true, isFocused: false, ...opening, pageId })
  await waitUntil('the page is known', () => page.isActive() !== undefined, PATIENT)
  return { ...page, pageId }
}

export interface TestPages extends AsyncDisposable {
  readonly url: string
  readonly pages: ViewerPages
}

/** The pages of a viewer, without the rest of it. */
export async function startPages(
  deadlines: { readonly shownWithinMs?: number; readonly openWithinMs?: number } = {},
): Promise<TestPages> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = attachWebSockets(server, {
    log: createLog({ level: 'silent', process: 'test' }),
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
  })
  const pages = new ViewerPages({ createNonce: () => randomUUID(), ...deadlines })
  sockets.add(pages.endpoint())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    async [Symbol.asyncDispose]() {
      pages.stop()
      await sockets.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
